"""Of many cases that try one path, the fast tests take a few, and CI once a week some more."""
import zlib

WEEKLY = 3      # times as many


def take(items):
    """Of the cases of each test with the mark sample(n), slow ones apart, n stay as they are, as many as the weekly run takes get
    the mark `more`, and all others the mark `slow`. Names decide which, so that a new case displaces one at most. A case that is
    asked for by its name is the only one, and so in the sample."""
    cases = {}
    for item in items:
        if item.get_closest_marker("sample") and not item.get_closest_marker("slow"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        n = alike[0].get_closest_marker("sample").args[0]
        alike.sort(key=lambda item: zlib.crc32(item.name.partition("@")[0].encode()))
        for k, item in enumerate(alike[n:], n):
            item.add_marker("more" if k < WEEKLY * n else "slow")
