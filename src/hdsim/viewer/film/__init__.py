"""Pictures without a window, and films as files."""
from .film import Film, Recorder, Reel, Shots, open_reel, player, record, shoot

__all__ = ["Film", "Recorder", "Reel", "Shots", "open_reel", "player", "record", "shoot"]
