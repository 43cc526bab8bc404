"""Notes: what is kept in a checkpoint beside the state, such as the pace and the look of a window."""
from __future__ import annotations

import json
from typing import Any

from .io import _META, Path


def notes_of(path: Path) -> dict[str, Any]:
    """The notes with which a checkpoint was saved; {} for any other file."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            found = json.loads(archive.read(_META)).get("notes", {})
    except (OSError, ValueError, KeyError, AttributeError, zipfile.BadZipFile):
        return {}
    return found if isinstance(found, dict) else {}
