"""Random mixtures of all laws, in round numbers: the same bits with all options, the balance, and nothing in anything."""
from __future__ import annotations

import numpy as np
import pytest

import hdsim
from hdsim.model.clearance import overlapping
from mixtures import Mixture

EVENTS, SPAN = 150, 2


def run(system, until, events=EVENTS):
    """What ended the run: "" for its end."""
    try:
        system.simulate(until=until, max_events=events)
    except hdsim.JammedError as jam:
        return str(jam)
    return ""


def bits(system):
    return system.hash(), system.time, system.positions.tobytes(), system.velocities.tobytes(), system.pistons


def in_pieces(system, until, path):
    """The same run in twelve pieces, with looks, copies and checkpoints between them."""
    left, begin = EVENTS, system.time
    for k in range(1, 13):
        before = system._engine.events
        end = run(system, begin + (until - begin) * k / 12, left)
        left -= system._engine.events - before
        if end or not left:
            break
        system.energy_balance(), system.schedule(3)
        if k % 4 == 1:
            system = system.copy()
        elif k % 4 == 2:
            system.save(path)
            system = hdsim.load(path)
    return system, end


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_mixtures(first, tmp_path):
    for seed in range(first, first + 10):
        mixture = Mixture(seed)
        whole = mixture.system()
        until, before = mixture.time + SPAN, whole.energy_balance()
        end = run(whole, until)
        whole.check()
        check_balance(before, whole.energy_balance(), seed)
        if not end:
            check_room(mixture, whole, seed)
        for options in ({"cells": (1, 1)}, {"queue": "heap", "vectors": False}):
            other = mixture.built(**options)
            assert run(other, until) == end and bits(other) == bits(whole), (seed, options)
        other = mixture.built()
        other._engine.search_always(True)
        assert run(other, until) == end and bits(other) == bits(whole), (seed, "search")
        other, other_end = in_pieces(mixture.built(), until, tmp_path / "a.npz")
        assert other_end == end and bits(other) == bits(whole), (seed, "pieces")


def check_balance(before, after, seed):
    sums = [b.kinetic + b.potential + b.dissipated - b.work - b.heat for b in (before, after)]
    assert abs(sums[1] - sums[0]) <= 1e-12 * sum(map(abs, (*before[:2], *after[:5]))), (seed, before, after)


def check_room(mixture, system, seed):
    """Discs are in the box and overlap nothing."""
    positions, radii = system.positions, system.radii
    for axis, length in enumerate(mixture.box.lengths):
        low = 0 if mixture.box.periodic[axis] else radii - 1e-12
        assert (positions[:, axis] >= low).all() and (positions[:, axis] <= length - low).all(), seed
        assert all(-1e-12 <= p.place <= length + 1e-12 for p in system.pistons if p.axis == axis), seed
    apart = positions[:, None] - positions
    for axis, length in enumerate(mixture.box.lengths):
        if mixture.box.periodic[axis]:
            apart[..., axis] -= np.round(apart[..., axis] / length) * length
    gaps = np.hypot(apart[..., 0], apart[..., 1]) - radii[:, None] - radii + np.eye(len(radii))
    assert (gaps >= -1e-12).all(), seed
    found = list(overlapping(mixture.box, dict(enumerate(system.obstacles)), system.time, positions, radii - 1e-10,
                             mixture.felt(mixture.discs)))
    assert not found, (seed, found)
