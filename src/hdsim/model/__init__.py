"""Plain values that describe a system: box, configurations, events, queue entries, errors; and the roles of a system."""
from __future__ import annotations

__all__ = ["box", "configuration", "errors", "events", "queues"]
