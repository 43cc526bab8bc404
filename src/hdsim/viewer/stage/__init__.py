"""What the parts of a window share, and what a part is."""
