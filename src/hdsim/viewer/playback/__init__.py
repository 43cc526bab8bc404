"""Simulated time against wall clock, and the way back in it."""
from .playback import Playback

__all__ = ["Playback"]
