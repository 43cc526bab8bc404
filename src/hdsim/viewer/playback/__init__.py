"""Playback: runs a system at a pace in wall-clock time, and goes back to any earlier time."""
from .playback import Playback

__all__ = ["Playback"]
