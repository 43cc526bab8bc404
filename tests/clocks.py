"""How long something takes, whatever the machine and however busy it is."""
import math
import time
from collections.abc import Callable


def times_as_long(work: Callable[[], object], other: Callable[[], object], rounds: int = 15) -> float:
    """How many times as long as `other` takes `work`: the processor's time of the quickest of some calls, of both in turn,
    so that a slow machine, or what else it does, makes both slow."""
    quickest = [math.inf, math.inf]
    for _ in range(rounds):
        for k, call in enumerate((work, other)):
            began = time.process_time()
            call()
            quickest[k] = min(quickest[k], time.process_time() - began)
    return quickest[0] / quickest[1]
