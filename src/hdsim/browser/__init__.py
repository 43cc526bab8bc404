"""Pages that show a running system: served over HTTP by the standard library, or as a widget in a notebook.

    show        one system that is played for pages, and the commands of pages; it has no thread and no clock
    messages    what a page needs of one instant, as a header and arrays
    server      the page of `python -m hdsim ... --browser`
    notebook    the widget of a notebook, `hdsim.live`

Nothing here computes a trajectory, and nothing needs more than numpy. Positions are sent, not pictures: pages draw them by
viewer/draw/discs.js, as films do.
"""
from typing import Any

from .notebook import Live, live
from .show import CommandError, Show

__all__ = ["CommandError", "Live", "Show", "live", "serve"]


def serve(show: Show, **options: Any) -> Any:
    """Serve a page for `show` until Ctrl-C; see `server.serve`, which is imported late because a notebook needs no server."""
    from .server import serve as served

    return served(show, **options)
