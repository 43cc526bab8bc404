"""Plain values that describe a system: box, obstacles, configurations, events, queue entries, errors; the roles of a system."""
from __future__ import annotations

__all__ = ["box", "configuration", "errors", "events", "obstacles", "queues"]
