"""Obstacles as features: the faces, caps and arcs of all shapes, as the tables that the compiled core reads.

A feature is what one formula describes: a straight face, a cap (an end or a vertex, which acts as a fixed disc of radius 0), the
outside or the inside of an arc. See core/obstacle.pxd.
"""
from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .gates import rule_of, spans_of
from .motion import motion_of, moves
from .obstacles import ON_CIRCLE, Obstacle, pieces_of, solid_of
from .pieces import Piece, Pieces, Point
from .rules import Step

FACE, CAP, OUTSIDE, INSIDE, LINE = range(5)     # codes of the core
ONE_SIDED, ONE_WAY, FREE_BEHIND, MOVES = 1, 2, 4, 8        # flags of the core
BESIDE = 8                                      # features and other caps that one cap knows, at most
ALWAYS = ((-math.inf, math.inf),)               # the spans of an obstacle that neither comes nor goes


class Feature(NamedTuple):
    """A feature: its code and flags, its numbers in the order of the core, its name, and the points at which it ends."""

    code: int
    flags: int
    numbers: tuple[float, ...]
    name: str
    ends: tuple[Point, ...] = ()


class FeatureTable(NamedTuple):
    """All features of a list of obstacles, as arrays for the core.

    obstacles: their number. kinds (m, 3) int32: obstacle, code and flags of each feature. numbers (m, 7) float64. beside (m, 8)
    int32: for a cap, the other caps at its point and the features that end there, or -1. spanned (t,) int32 and times (t, 2)
    float64: the spans of time in which an obstacle is there. species (s, 2) int32: obstacle and species, for obstacles that only
    some discs feel. change_times (c,) float64 and changed (c, 2) int32: when obstacles come or go, ascending, the obstacle, and 1
    if it comes. solids (obstacles,) int32: what each is, by `solid_of`. gates (g, 4) int32: obstacle, feature, and the first and
    last steps of the rule of each gate. codes (r, 2) int32: code and species of each step, and squares (r,) float64: of its
    speed. names: of the features."""

    obstacles: int
    kinds: np.ndarray
    numbers: np.ndarray
    beside: np.ndarray
    spanned: np.ndarray
    times: np.ndarray
    species: np.ndarray
    change_times: np.ndarray
    changed: np.ndarray
    solids: np.ndarray
    gates: np.ndarray
    codes: np.ndarray
    squares: np.ndarray
    names: tuple[str, ...]


def feature_table(obstacles: Sequence[Obstacle]) -> FeatureTable:
    """The features of these obstacles, in their order, and of each its faces and arcs before its caps. A piston has none here: it
    is a body of the core.

    A cap knows the features that end at its point, also those of other obstacles for the same discs and times: a disc that
    touches one of them does not feel the cap, so seams are not felt. Several such caps at one point are one; but those of
    obstacles that come or go know each other, as a disc may be in the place of one of them and touch the end of another. Where
    two pieces join that discs pass from behind, a cap acts on the side that they touch only."""
    surfaces = [[] if obstacle.FREE else list(surfaces_of(obstacle)) for obstacle in obstacles]
    alike = _alike(obstacles)
    joints = _joints(obstacles, alike, surfaces)
    first: list[int] = []           # number of the first feature of each obstacle
    rows: list[tuple[int, Feature]] = []
    known: list[tuple[int, list[tuple[int, int]]]] = []     # of a cap: its number, and up to BESIDE of the joints at its point
    begun: dict[tuple[int, Point], list[tuple[int, int]]] = {}
    for k, (obstacle, own) in enumerate(zip(obstacles, surfaces)):
        first.append(len(rows))
        rows += ((k, surface) for surface in own)
        for point, name in caps_of(obstacle).items():
            at = (alike[k], point)
            others = begun.setdefault(at, [])       # the caps at this point
            if others and spans_of(obstacle) == ALWAYS:
                continue
            joined = joints.get(at, [])
            cap = cap_at(point, name, [surfaces[owner][place] for owner, place in joined])
            if cap is None:
                continue
            joined = others + joined
            others.append((k, len(rows) - first[k]))
            for start in range(0, max(len(joined), 1), BESIDE):     # most often once
                known.append((len(rows), joined[start:start + BESIDE]))
                rows.append((k, cap))
    beside = np.full((len(rows), BESIDE), -1, dtype=np.intc)
    for number, joined in known:
        beside[number, :len(joined)] = [first[k] + place for k, place in joined]
    return _table(obstacles, rows, beside)


def _joints(obstacles: Sequence[Obstacle], alike: Sequence[int], surfaces: Sequence[Sequence[Feature]]
            ) -> dict[tuple[int, Point], list[tuple[int, int]]]:
    """For each end of a face or arc, and the number in `alike` of its obstacle, those that end there: obstacle, and place among
    its surfaces."""
    joints: dict[tuple[int, Point], list[tuple[int, int]]] = {}
    for k, (obstacle, own) in enumerate(zip(obstacles, surfaces)):
        for place, surface in enumerate(own):
            for end in dict.fromkeys(surface.ends) if not pieces_of(obstacle).framed else ():       # a gate may let a disc in
                joints.setdefault((alike[k], end), []).append((k, place))
    return joints


def free_ends(obstacles: Sequence[Obstacle]) -> list[tuple[Point, ...]]:
    """For each obstacle, the ends and vertices of its faces and arcs that discs touch from every side: all, but for the seams of
    two pieces that discs pass from behind."""
    surfaces = [list(surfaces_of(obstacle)) for obstacle in obstacles]
    alike = _alike(obstacles)
    joints = _joints(obstacles, alike, surfaces)
    found = []
    for number, obstacle in zip(alike, obstacles):
        caps = {point: cap_at(point, name, [surfaces[owner][place] for owner, place in joints.get((number, point), [])])
                for point, name in caps_of(obstacle).items()}
        found.append(tuple(point for point, cap in caps.items() if cap is not None and not cap.flags & FREE_BEHIND))
    return found


def _table(obstacles: Sequence[Obstacle], rows: list[tuple[int, Feature]], beside: np.ndarray) -> FeatureTable:
    numbers = np.zeros((len(rows), 7))
    for number, (_, feature) in enumerate(rows):
        numbers[number, :len(feature.numbers)] = feature.numbers
    spans = [(k, span) for k, obstacle in enumerate(obstacles) for span in spans_of(obstacle)]
    changes = sorted((time, goes, k) for k, span in spans for goes, time in enumerate(span) if math.isfinite(time))
    gates, steps = _rules(obstacles, rows)
    species = [(k, kind) for k, obstacle in enumerate(obstacles) for kind in species_of(obstacle) or ()]
    return FeatureTable(
        len(obstacles), _kinds(obstacles, rows),
        numbers, beside, np.array([k for k, _ in spans], dtype=np.intc),
        np.array([span for _, span in spans], dtype=np.float64).reshape(-1, 2),
        np.array(species, dtype=np.intc).reshape(-1, 2), np.array([time for time, _, _ in changes], dtype=np.float64),
        np.array([(k, 1 - goes) for _, goes, k in changes], dtype=np.intc).reshape(-1, 2),
        np.array([solid_of(obstacle) for obstacle in obstacles], dtype=np.intc), gates,
        np.array([(step.code, step.kind) for step in steps], dtype=np.intc).reshape(-1, 2),
        np.array([step.square for step in steps], dtype=np.float64), tuple(feature.name for _, feature in rows))


def _kinds(obstacles: Sequence[Obstacle], rows: list[tuple[int, Feature]]) -> np.ndarray:
    """(m, 3): obstacle, code and flags of each feature."""
    moving = [MOVES if moves(obstacle) else 0 for obstacle in obstacles]
    return np.array([(k, feature.code, feature.flags | moving[k]) for k, feature in rows], dtype=np.intc).reshape(-1, 3)


def _rules(obstacles: Sequence[Obstacle], rows: list[tuple[int, Feature]]) -> tuple[np.ndarray, list[Step]]:
    """The gates of a table, and the steps of all their rules."""
    gates: list[tuple[int, int, int, int]] = []
    steps: list[Step] = []
    for number, (k, _) in enumerate(rows):
        if (rule := rule_of(obstacles[k])) is not None:
            gates.append((k, number, len(steps), len(steps) + len(rule.steps)))
            steps += rule.steps
    return np.array(gates, dtype=np.intc).reshape(-1, 4), steps


def species_of(obstacle: Obstacle) -> tuple[int, ...] | None:
    """The species that feel an obstacle; None: all."""
    kinds = obstacle.species
    return kinds if kinds is None or isinstance(kinds, tuple) else (kinds,)


def _alike(obstacles: Sequence[Obstacle]) -> list[int]:
    """A number for each obstacle. Those with the same one are there at the same times, for the same discs, and move alike."""
    numbers: dict[Hashable, int] = {}
    found = []
    for obstacle in obstacles:
        kinds = species_of(obstacle)
        same = None if kinds is None else tuple(sorted(kinds)), spans_of(obstacle), motion_of(obstacle)
        found.append(numbers.setdefault(same, len(numbers)))
    return found


def surfaces_of(obstacle: Obstacle) -> Iterator[Feature]:
    """The faces and arcs of an obstacle, in its order. A straight piece of length 0 is none."""
    lowered = pieces_of(obstacle)
    if lowered.endless:
        point, normal = lowered.endless
        yield Feature(LINE, 0 if obstacle.FREE else ONE_SIDED, (*point, *normal), "face")
    for k, piece in enumerate(lowered.chain):
        yield from (_arcs if piece.radius else _face)(piece, lowered, f" {k}" if lowered.numbered else "")


def _face(piece: Piece, lowered: Pieces, suffix: str) -> Iterator[Feature]:
    """A straight piece; one with a side has it on its left: "inside" is left of it. Discs may be on its right: around another
    edge of the same block or room; or, if the chain is not closed, they pass it from there."""
    if piece.start != piece.end:
        flags = 0 if lowered.side == "both" else ONE_WAY if lowered.closed else ONE_WAY | FREE_BEHIND
        a, b = (piece.end, piece.start) if lowered.side == "outside" else (piece.start, piece.end)
        yield Feature(FACE, flags, (*a, *b), "face" + suffix, (a, b))


def _arcs(arc: Piece, lowered: Pieces, suffix: str) -> Iterator[Feature]:
    """The sides of an arc that discs touch. No disc is inside of a full circle that has no inside. But outside of one that has no
    outside there may be discs: in another image of it."""
    side, ends = lowered.side, () if arc.is_full else (arc.start, arc.end)
    flags = 0 if side == "both" else ONE_WAY
    if flags and ends and not lowered.closed:
        flags |= FREE_BEHIND
    elif flags and not ends and side == "outside":
        flags |= ONE_SIDED
    for code, name in ((OUTSIDE, "outside"), (INSIDE, "inside")):
        if side in (name, "both"):
            yield Feature(code, flags, (*arc.center, arc.radius, *arc.start, *arc.end), name + suffix, ends)


def caps_of(obstacle: Obstacle) -> dict[Point, str]:
    """The ends and vertices of an obstacle, each point once, with its first name. Those of a gate belong to its frame."""
    lowered, found = pieces_of(obstacle), dict[Point, str]()
    if not lowered.chain or lowered.framed or lowered.closed and not lowered.numbered:
        return found
    for k, piece in enumerate(lowered.chain):
        found.setdefault(piece.start, f"vertex {k}" if k or lowered.closed else "start")
    found.setdefault(lowered.chain[-1].end, "end")
    return found


def cap_at(point: Point, name: str, joined: Sequence[Feature]) -> Feature | None:
    """The cap of an end or vertex at which these faces and arcs end. At a seam of two that discs pass from behind, it acts in the
    directions between their normals (as two unit vectors, counterclockwise), so that discs from behind do not feel it; None if
    the seam is a concave corner, in which discs touch both pieces and never the seam."""
    if len(joined) != 2 or not all(surface.flags & FREE_BEHIND for surface in joined):
        return Feature(CAP, 0, point, name)
    (before, first), (after, second) = sorted(_normal_at(point, surface) for surface in joined)
    if before == after:             # they face each other: neither goes on where the other ends
        return Feature(CAP, 0, point, name)
    # The piece that begins here with discs on its left has the first one of the directions.
    (sx, sy), (bx, by) = second, first
    turn, along = sx * by - sy * bx, sx * bx + sy * by
    smooth = along > 0 and turn * turn <= ON_CIRCLE**2 * (sx * sx + sy * sy) * (bx * bx + by * by)      # as far as arcs can be
    if turn < 0 and not smooth:
        return None
    return Feature(CAP, FREE_BEHIND, (*point, *_unit(sx, sy), *_unit(bx, by)), name)


def _normal_at(point: Point, surface: Feature) -> tuple[bool, tuple[Fraction, Fraction]]:
    """Of a face or arc that ends at a point: whether it begins there, if discs are on its left, and its normal there on their
    side, of any length."""
    begins = surface.ends[0] == point
    ax, ay, bx, by = map(Fraction, (*surface.numbers[:2], *(surface.ends[1] if surface.code == FACE else point)))
    if surface.code == FACE:
        return begins, (ay - by, bx - ax)
    return (begins, (ax - bx, ay - by)) if surface.code == INSIDE else (not begins, (bx - ax, by - ay))


def _unit(x: Fraction, y: Fraction) -> tuple[float, float]:
    """The unit vector along (x, y), which is not (0, 0)."""
    largest = max(abs(x), abs(y))
    along, across = float(x / largest), float(y / largest)
    length = math.sqrt(along * along + across * across)
    return along / length, across / length
