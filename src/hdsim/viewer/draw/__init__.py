"""The elements of a picture: frame, view, discs, shapes and text, colours, arrows, charts."""
