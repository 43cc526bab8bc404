"""The test cases for a student's Particle, MinPQ and Event: simple cases with round numbers first, then random ones."""
from __future__ import annotations

import math
import random
from typing import Any

RANDOM = 25     # random cases of each kind
Case = dict[str, Any]


def particle_cases() -> list[Case]:
    draw = random.Random(1)
    return [case for make in (_made, _moves, _walls, _apart, _pair_times, _bounces) for case in make(draw)]


def _disc(draw: random.Random) -> list[float]:
    return [*(round(draw.uniform(.2, .8), 3) for _ in range(2)), *(round(draw.uniform(-1, 1), 3) for _ in range(2)),
            round(draw.uniform(.01, .1), 3), round(draw.uniform(.5, 5), 2)]


def _made(draw: random.Random) -> list[Case]:
    return [{"op": "make", "discs": [[.5, .25, .75, -.5, .125, 2.], [.25, .75, -1., 2., .0625, 3.]]}]


def _apart(draw: random.Random) -> list[Case]:
    return [{**case, "op": "apart"} for case in _made(draw)]


def _moves(draw: random.Random) -> list[Case]:
    # The disc stays inside the box: the book's Ball bounces off the walls in its move.
    return [{"op": "move", "discs": [disc], "argument": dt}
            for disc, dt in [([.5, .5, .25, -.5, .125, 2.], .5),
                             *((_disc(draw), draw.choice([.06, .125, .03])) for _ in range(4))]]


def _walls(draw: random.Random) -> list[Case]:
    """Discs that move towards each wall, along the walls, or not at all, and that touch a wall and move towards it or away."""
    velocities = (1., 2.), (-1., -2.), (.5, -.25), (-.5, .25), (0., 0.), (1., 0.), (0., -1.)
    discs = [[.5, .25, vx, vy, .125, 2.] for vx, vy in velocities]
    discs += [[.125, .5, -1., 0., .125, 1.], [.875, .5, -1., .5, .125, 1.], [.5, .875, .25, 1., .125, 1.]]
    discs += [_disc(draw) for _ in range(8)]
    return [{"op": f"{what}_{wall}_wall", "discs": [disc]} for what in ("time_to_hit", "bounce_off")
            for wall in ("vertical", "horizontal") for disc in discs]


def _pair_times(draw: random.Random) -> list[Case]:
    pairs = [
        [[.25, .5, 1., 0., .0625, 1.], [.75, .5, -1., 0., .125, 3.]],       # head-on
        [[.25, .25, 1., .5, .125, 1.], [.75, .5, 0., -.25, .0625, 2.]],     # oblique
        [[.25, .5, -1., 0., .0625, 1.], [.75, .5, 1., 0., .125, 1.]],       # moving apart
        [[.25, .25, 1., 0., .0625, 1.], [.75, .75, -1., 0., .125, 1.]],     # a miss
        [[.25, .25, .5, .25, .0625, 1.], [.75, .75, .5, .25, .125, 1.]],    # equal velocities
        [[.25, .5, 0., 0., .0625, 1.], [.75, .5, 0., 0., .125, 1.]],        # both at rest
        [[.5, .25, 0., 1., .125, 1.], [.5, .75, 0., 0., .0625, 1.]],        # one at rest, upwards
        [[.25, .5, 1., .5, .125, 1.], [.5, .5, -1., 0., .125, 1.]],         # touching, approaching
        [[.25, .5, -1., 0., .125, 1.], [.5, .5, 1., .5, .125, 1.]],         # touching, leaving
    ]
    while len(pairs) < RANDOM + 9:
        a, b = _disc(draw), _disc(draw)
        gap = math.hypot(b[0] - a[0], b[1] - a[1]) - a[4] - b[4]
        if gap > .05:
            if draw.random() < .6:      # most discs are aimed at each other, so that they meet
                b[2], b[3] = (round(v + 2 * (p - q) + draw.uniform(-.2, .2), 3) for v, p, q in zip(a[2:4], a[:2], b[:2]))
            pairs.append([a, b])
    return [{"op": "time_to_hit", "discs": pair} for pair in pairs]


def _bounces(draw: random.Random) -> list[Case]:
    """Pairs of discs in contact: at another distance, a formula with sigma and one with the distance give different results."""
    pairs = [
        [[.25, .5, 1., 0., .125, 1.], [.5, .5, 0., 0., .125, 1.]],
        [[.25, .5, 1., .5, .125, 1.], [.5, .5, -1., .25, .125, 3.]],
        [[.25, .25, .5, 1., .15625, 2.], [.4375, .5, -.25, -.5, .15625, 1.]],       # 3, 4, 5
    ]
    while len(pairs) < RANDOM:
        a, b = _disc(draw), _disc(draw)
        angle, sigma = draw.uniform(0, 2 * math.pi), a[4] + b[4]
        b[:2] = [a[0] + sigma * math.cos(angle), a[1] + sigma * math.sin(angle)]
        if (b[2] - a[2]) * (b[0] - a[0]) + (b[3] - a[3]) * (b[1] - a[1]) < 0:
            pairs.append([a, b])
    return [{"op": "bounce_off", "discs": pair} for pair in pairs]


def box_cases() -> list[Case]:
    """Discs of several radii and speeds, whose times to the walls show where these are."""
    discs = [[x, y, sign * v, sign * v, radius, mass] for x, y, v, radius, mass in (
        (.5, .5, 1., .0625, 1.), (.375, .625, .5, .125, 3.), (.5625, .4375, 2., .03125, 2.)) for sign in (1, -1)]
    return [{"op": "box", "discs": discs}]


def queue_cases() -> list[Case]:
    """Cases of a priority queue, as lists of steps: a number is inserted, None deletes the least."""
    draw = random.Random(2)
    orders: list[list[float]] = [[1.], [1., 2., 3.], [3., 2., 1.], [2., 3., 1., 5., 4.], [2., 2., 2.], [2., 1., 2., 1., 1.],
                                 [.75, .5, .25], [float(x) for x in draw.sample(range(40), 40)]]
    cases = [{"op": "queue", "steps": [*order, *[None] * len(order)]} for order in orders]
    steps: list[float | None] = []
    held = 0
    for _ in range(200):
        delete = held > 0 and draw.random() < .45
        held += -1 if delete else 1
        steps.append(None if delete else draw.choice([round(draw.uniform(0, 9), 2), float(draw.randrange(9))]))
    return [*cases, {"op": "queue", "steps": [*steps, *[None] * held]},
            {"op": "queue", "steps": [3., 5., None, None], "two": True},
            {"op": "queue", "steps": [None, 3., None], "empty": True}]


def event_cases() -> list[Case]:
    pair = [[.25, .5, 1., 0., .125, 1.], [.75, .5, -1., 0., .125, 1.]]
    times = [[1., 3.], [3., 1.], [.25, .5], [.5, .25], [7.125, 7.25], [7.25, 7.125], [2.5, 2.5]]
    return [*({"op": "order", "times": pair} for pair in times), *({"op": "valid", "discs": pair, "bounced": k} for k in (0, 1)),
            *({"op": "valid", "discs": pair, "bounced": k, "alone": k} for k in (0, 1))]
