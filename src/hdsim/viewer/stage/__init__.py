"""The state that the parts of a window share, and the base class of parts."""
