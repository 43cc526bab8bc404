"""What a system is made of, as plain values: the box, configurations, events, entries of queues, errors."""
from __future__ import annotations

__all__ = ["box", "configuration", "errors", "events", "queues"]
