"""What panels and overlays show of a system, in numbers and words. Nothing here draws or knows a window."""
