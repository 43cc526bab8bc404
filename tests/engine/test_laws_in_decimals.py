"""The compiled engine and runs to 30 digits with restitution, moving obstacles and pistons, by brute force in decimals."""
from __future__ import annotations

import pytest
from golden_decimals import lines
from golden_runs import SETUPS, golden, random_setup, run_of

from hdsim import Box, Circle, CollisionSystem, Line, Particle, Piston, Segment

SHAPES = {"Line": Line, "Segment": Segment, "Circle": Circle, "Piston": Piston}
# How far times and the last state may be off: 100 times the errors of doubles, which chaos has made as large as this.
TOLERANCES = {"granular": 1e-8, "granular-species": 1e-8, "contact-time": 1e-7, "moving-wall": 1e-7, "shaken": 1e-8,
              "paddle": 2e-5, "piston": 2e-10, "loaded-piston": 2e-7, "ramp": 2e-9, "grains": 1e-10,
              "weighty-piston": 1e-8}


def system_of(setup, **options):
    obstacles = [SHAPES[kind](*arguments, **keywords) for kind, arguments, keywords in setup.get("obstacles", [])]
    return CollisionSystem([Particle(*row) for row in setup["discs"]], box=Box(*setup["box"]), species=setup.get("species"),
                           obstacles=obstacles, restitution=setup.get("restitution", 1.0),
                           contact_time=setup.get("contact_time", 0.0), gravity=setup.get("gravity"), **options)


def error_of(run, **options):
    """How far times, state and energies are off; the contacts are those of the run, and the balance closes."""
    system, worst = system_of(run.setup, collisions="sequential", **options), 0.0
    for contact in run.contacts:
        event = system.next_event()
        partner = (contact.i,) if contact.j is None else (contact.i, contact.j)
        assert (event.particles, event.wall, event.obstacle) == (partner, contact.wall, contact.obstacle)
        worst = max(worst, abs(event.time - float(contact.time)))
    state = [x for rows in zip(system.positions.tolist(), system.velocities.tolist()) for row in rows for x in row]
    state += [x for piston in system.pistons for x in (piston.place, piston.velocity)]
    worst = max([worst, *(abs(x - float(y)) for x, y in zip(state, run.state, strict=True))])
    balance = system.energy_balance()
    assert abs(balance.drift) < 1e-14
    energies = balance.kinetic, balance.dissipated, balance.work, balance.potential
    return max([worst, *(abs(x - float(y)) for x, y in zip(energies, run.energies))])


@pytest.mark.parametrize("name", TOLERANCES)
def test_runs_to_30_digits(name):
    """The same contacts at the same times, to what 53 bits allow; then the same state, energies, dissipated energy and work."""
    assert set(TOLERANCES) == set(SETUPS)
    assert error_of(golden(name)) < TOLERANCES[name]
    assert error_of(golden(name), cells=(1, 1)) < TOLERANCES[name]


@pytest.mark.sample(6)
@pytest.mark.parametrize("part", range(12))
def test_random_setups(part):
    """With all shapes, motions and losses together, and with gravity, against decimals, as long as chaos allows."""
    for seed in range(30 * part, 30 * part + 30):
        setup = random_setup(seed, falls=part >= 6)
        assert error_of(run_of(setup, [*lines(setup, 12)])) < 1e-7
