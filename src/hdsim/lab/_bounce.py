"""A ball that bounces lower and lower: all its contacts in closed form, its rest, and its way down a ramp."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..model.obstacles import Line
from ..system import Box, CollisionSystem
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

GRAVITY, RADIUS = 1.0, 0.125
COEFFICIENTS = (0.3, 0.5, 0.7, 0.8, 0.9)
CONTACTS = 40                   # with the floor, which are compared
SHORTEST = 1e-6                 # TC contact time: flights shorter than this lose nothing more
ROUNDING = 1e-11                # relative, of times after some tens of contacts
RAMP, SLIDING = 0.7, 0.5        # coefficient of a ramp, and its slope
HEAVY, LIGHT = 3.0, 1.0         # masses of two balls that fall together, one above the other
GAPS = 12                       # random heights from which balls fall, for the times of rest


def bounce(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The times of the contacts of balls with a floor beside the closed form, to rounding; when they come to rest; how far a ball
    comes on a ramp; and how fast a light ball flies off a heavy one. Nothing is random but heights. It takes no source.
    """
    if source is not None:
        raise ValueError(f"bounce takes no SOURCE, found {source}")
    rng = np.random.default_rng(seed_of(seed))
    gaps = rng.uniform(0.5, 2.0, 3 if quick else GAPS)
    flights = [dropped(1.0, e) for e in COEFFICIENTS]
    worst = [float(np.abs(found / law(1.0, e, len(found)) - 1).max()) for e, found in zip(COEFFICIENTS, flights)]
    checks = [Check(check_name("greatest deviation of a time of contact, e = {e:g}", e=e), off, 0.0, 0.0, ROUNDING)
              for e, off in zip(COEFFICIENTS, worst)]
    progress(0.4)
    rests = np.array([[at_rest(float(gap), e) / theory.resting_time(gap, GRAVITY, e) for e in COEFFICIENTS] for gap in gaps])
    far = rests.flat[np.abs(rests - 1).argmax()]
    checks.append(Check("time of rest / sqrt(2h/g) (1 + e)/(1 - e)", float(far), 0.0, 1.0, 2 * SHORTEST))
    progress(0.8)
    checks.append(Check("way along a ramp until the ball slides / g sin(a) t^2 / 2", on_ramp(), 0.0, 1.0, 4 * SHORTEST))
    checks.append(Check("speed of a light ball on a heavy one / that of the fall", together(), 0.0,
                        (3 * HEAVY - LIGHT) / (HEAVY + LIGHT), 1e-6))
    progress(1.0)
    columns = {"contact": np.arange(1, CONTACTS + 1), **{f"time at e = {e:g}": found for e, found in zip(COEFFICIENTS, flights)},
               "restitution": list(COEFFICIENTS), "time of rest": [at_rest(1.0, e) for e in COEFFICIENTS]}
    return Result("bounce", tuple(checks), tr("geometric series"), columns, (_draw_heights, _draw_rests))


def law(gap: float, e: float, contacts: int) -> np.ndarray:
    """(k,): the times of the first contacts."""
    return np.asarray(theory.bounce_time(np.arange(1, contacts + 1), gap, GRAVITY, e))


def _ball(gap: float, e: float) -> CollisionSystem:
    """A ball above the floor."""
    return CollisionSystem.from_arrays([(0.5, RADIUS + gap)], [(0.0, 0.0)], RADIUS, box=Box(1.0, gap + 1.0), restitution=e,
                                       contact_time=SHORTEST, gravity=(0.0, -GRAVITY))


def dropped(gap: float, e: float) -> np.ndarray:
    """(k,): the times of the contacts with the floor, of flights that are long enough to lose speed."""
    ball = _ball(gap, e)
    times: list[float] = []
    while len(times) < CONTACTS and (not times[1:] or times[-1] - times[-2] > 4 * SHORTEST):
        event = ball.next_event()
        assert event is not None
        times.append(event.time)
    return np.array(times + [math.nan] * (CONTACTS - len(times)))[:len(times)]


def at_rest(gap: float, e: float) -> float:
    """The time after which the flights are shorter than the TC contact time."""
    ball, last = _ball(gap, e), -math.inf
    while (event := ball.next_event()) is not None and event.time - last > SHORTEST:
        last = event.time
    return last


def on_ramp() -> float:
    """How far a ball has come on a ramp when its hops have died out, over the way of free sliding in that time."""
    slope = math.hypot(1.0, SLIDING)
    normal, along = (SLIDING / slope, 1 / slope), (1 / slope, -SLIDING / slope)
    start = np.array((1.0, 40.0))
    foot = start - (RADIUS + 1.0) * np.array(normal)
    ball = CollisionSystem.from_arrays([start], [(0.0, 0.0)], RADIUS, box=Box(80.0, 50.0), restitution=RAMP,
                                       contact_time=SHORTEST, gravity=(0.0, -GRAVITY),
                                       obstacles=[Line(tuple(foot.tolist()), normal)])
    last = -math.inf
    while (event := ball.next_event()) is not None and event.time - last > SHORTEST:
        last = event.time
    way = float((ball.positions[0] - start) @ along)
    return way / (0.5 * GRAVITY * SLIDING / slope * ball.time**2)


def together() -> float:
    """The speed at which a light ball leaves a heavy one that has just bounced, elastically, over that with which both fell."""
    gap = 1e-9
    heavy = RADIUS + 1.0
    balls = CollisionSystem.from_arrays([(0.5, heavy), (0.5, heavy + RADIUS + 0.0625 + gap)], [(0.0, 0.0), (0.0, 0.0)],
                                        [RADIUS, 0.0625], [HEAVY, LIGHT], box=Box(1.0, 20.0), gravity=(0.0, -GRAVITY))
    balls.next_event()
    balls.next_event()
    return float(balls.velocities[1, 1]) / math.sqrt(2 * GRAVITY)


def _draw_heights(result: Result, ax: Any) -> None:
    for e in COEFFICIENTS[1::2]:
        times = [0.0, *result[f"time at e = {e:g}"].tolist()]
        curve = [np.linspace(0, times[1], 30)]
        heights = [1 - 0.5 * GRAVITY * curve[0] ** 2]
        for begin, end in zip(times[1:], times[2:]):
            t = np.linspace(begin, end, 30)
            curve.append(t)
            heights.append(0.5 * GRAVITY * (t - begin) * (end - t))
        ax.plot(np.concatenate(curve), np.concatenate(heights), linewidth=0.9, label=f"e = {e:g}")
    ax.set(xlabel="time", ylabel="height", xlim=(0, 12), title="Balls dropped from the height 1")
    ax.legend(fontsize="small")


def _draw_rests(result: Result, ax: Any) -> None:
    e = np.linspace(0, 0.93, 200)
    ax.plot(e, theory.resting_time(1.0, GRAVITY, e), color="black", linewidth=0.9, label="sqrt(2h/g) (1 + e)/(1 - e)")
    ax.plot(result["restitution"], result["time of rest"], "o", label="measured")
    ax.set(xlabel="coefficient of restitution e", ylabel="time of rest", title="When a ball comes to rest")
    ax.legend(fontsize="small")
