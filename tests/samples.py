"""Of many cases that try one path, the fast tests take a few."""
import zlib


def take(items):
    """Of the cases of each test with the mark sample(n), all but n get the mark `more`, slow ones apart. Names decide which, so
    that a new case displaces one at most. A case that is asked for by its name is the only one, and so in the sample."""
    cases = {}
    for item in items:
        if item.get_closest_marker("sample") and not item.get_closest_marker("slow"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        alike.sort(key=lambda item: zlib.crc32(item.name.partition("@")[0].encode()))
        for item in alike[alike[0].get_closest_marker("sample").args[0]:]:
            item.add_marker("more")
