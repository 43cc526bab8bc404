"""The textbook engine and runs to 30 digits with restitution, moving obstacles and pistons; the files and their maker agree."""
import math

import pytest
from golden_decimals import lines
from golden_runs import FOLDER, SETUPS, golden, random_setup, run_of
from lawful import Piston, given

from hdsim.model.obstacles import Circle, Line, Segment
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_laws import CollisionSystem

SHAPES = {"Line": Line, "Segment": Segment, "Circle": Circle}
# How far times and the last state may be off: 100 times the errors of doubles, which chaos has made as large as this.
TOLERANCES = {"granular": 1e-8, "granular-species": 1e-8, "contact-time": 1e-7, "moving-wall": 1e-7, "shaken": 1e-8,
              "paddle": 2e-5, "piston": 2e-10, "loaded-piston": 2e-7, "ramp": 2e-9, "grains": 1e-10,
              "weighty-piston": 1e-8}


def textbook_of(setup):
    """The textbook's system of a setup."""
    discs = [Particle(*row) for row in setup["discs"]]
    for disc, species in zip(discs, setup.get("species", [None] * len(discs))):
        disc.species = species
    table = [Piston(**keywords) if kind == "Piston" else given(SHAPES[kind](*arguments), **keywords)
             for kind, arguments, keywords in setup.get("obstacles", [])]
    return CollisionSystem(discs, *setup["box"], obstacles=table, restitution=setup.get("restitution", 1.0),
                           contact_time=setup.get("contact_time", 0.0), gravity=setup.get("gravity", (0., 0.)))


@pytest.mark.parametrize("name", SETUPS)
def test_the_textbook_follows_runs_to_30_digits(name):
    """The same contacts at the same times, to what 53 bits allow; then the same state, energies, dissipated energy and work."""
    assert error_of(golden(name)) < TOLERANCES[name]


@pytest.mark.sample(4)
@pytest.mark.parametrize("part", range(12))
def test_the_textbook_follows_random_setups(part):
    """With all shapes, motions, pistons and losses together, and with gravity, against decimals, as long as chaos allows."""
    kinds, movers = set(), 0
    for seed in range(15 * part, 15 * part + 15):
        setup = random_setup(seed, falls=part >= 6)
        run = run_of(setup, [*lines(setup, 12)])
        assert error_of(run) < 1e-7
        touched = {contact.obstacle for contact in run.contacts} - {None}
        kinds |= {setup["obstacles"][k][0] for k in touched}
        movers += any(setup["obstacles"][k][2].keys() & {"velocity", "motion"} for k in touched)
    assert kinds >= ({"Line", "Segment", "Circle", "Piston"} if part < 6 else {"Circle", "Segment"}) and movers > 3


def error_of(run):
    """How far times, state and energies of the textbook are off; its contacts are those of the run, and its balance closes."""
    system, worst = textbook_of(run.setup), 0.0
    for contact in run.contacts:
        event = system.next_event()
        while not event.particles:
            event = system.next_event()
        partner = (contact.i,) if contact.j is None else (contact.i, contact.j)
        assert (event.disc_indices, event.wall, event.obstacle) == (partner, contact.wall, contact.obstacle)
        worst = max(worst, abs(event.time - float(contact.time)))
    state = [x for rows in zip(system.positions, system.velocities) for row in rows for x in row]
    state += [x for piston in system.pistons for x in (piston.place, piston.velocity)]
    worst = max([worst, *(abs(x - float(y)) for x, y in zip(state, run.state, strict=True))])
    balance = system.energy_balance()
    assert abs(balance.drift) < 1e-14
    energies = balance.kinetic, balance.dissipated, balance.work, balance.potential
    return max([worst, *(abs(x - float(y)) for x, y in zip(energies, run.energies))])


@pytest.mark.parametrize("name", SETUPS)
def test_the_files_are_those_of_their_maker(name):
    """The first contacts, digit by digit."""
    made = [*lines(SETUPS[name], 9)][:9]
    assert made == (FOLDER / f"{name}.txt").read_text().splitlines()[:9]


@pytest.mark.parametrize("name", SETUPS)
def test_the_balance_of_the_files_closes(name):
    """Kinetic + potential + dissipated - work is what it was, to 28 digits; and there are as many contacts as the setup says."""
    run = golden(name)
    kinetic, dissipated, work, *potential = run.energies
    gx, gy = run.setup.get("gravity", (0, 0))
    start = sum(m * (vx * vx + vy * vy) / 2 for *_, vx, vy, _, m in run.setup["discs"])
    start += sum(k["mass"] * k.get("velocity", 0)**2 / 2 for kind, _, k in run.setup.get("obstacles", []) if kind == "Piston")
    start -= sum(m * (gx * x + gy * y) for x, y, *_, m in run.setup["discs"])
    start -= sum(k["mass"] * (gx * k.get("x", 0) + gy * k.get("y", 0)) for kind, _, k in run.setup.get("obstacles", [])
                 if kind == "Piston")
    assert abs(float(kinetic + dissipated - work + sum(potential)) - start) < 1e-15 and len(run.contacts) == run.setup["contacts"]
    assert [contact.time for contact in run.contacts] == sorted(contact.time for contact in run.contacts)
    assert len(run.contacts) >= 40 and math.isfinite(float(sum(run.state)))


def test_a_file_without_its_end():
    """Is refused."""
    with pytest.raises(ValueError, match="no line of energies"):
        run_of({}, ["0.5 0 1"])
