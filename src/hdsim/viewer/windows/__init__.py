"""Windows: each has a stage, a list of parts and a painter. Their modules can be imported only with a display."""
