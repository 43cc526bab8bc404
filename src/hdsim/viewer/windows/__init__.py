"""Windows: a stage, a list of parts and a painter each. Importing one needs a display."""
