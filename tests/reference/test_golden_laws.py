"""The textbook engine and runs to 30 digits with restitution, moving obstacles and pistons; the files and their maker agree."""
import math

import pytest
from golden_decimals import lines
from golden_runs import FOLDER, SETUPS, golden
from lawful import Piston, given

from hdsim.model.obstacles import Circle, Line, Segment
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_laws import CollisionSystem

SHAPES = {"Line": Line, "Segment": Segment, "Circle": Circle}
# How far times and the last state may be off: 100 times the errors of doubles, which chaos has made as large as this.
TOLERANCES = {"granular": 1e-8, "granular-species": 1e-8, "contact-time": 1e-7, "moving-wall": 1e-7, "shaken": 1e-8,
              "paddle": 2e-5, "piston": 2e-10, "loaded-piston": 2e-7}


def textbook_of(setup):
    """The textbook's system of a setup."""
    discs = [Particle(*row) for row in setup["discs"]]
    for disc, species in zip(discs, setup.get("species", [None] * len(discs))):
        disc.species = species
    table = [Piston(**keywords) if kind == "Piston" else given(SHAPES[kind](*arguments), **keywords)
             for kind, arguments, keywords in setup.get("obstacles", [])]
    return CollisionSystem(discs, *setup["box"], obstacles=table, restitution=setup.get("restitution", 1.0),
                           contact_time=setup.get("contact_time", 0.0))


@pytest.mark.parametrize("name", SETUPS)
def test_the_textbook_follows_runs_to_30_digits(name):
    """The same contacts at the same times, to what 53 bits allow; then the same state, energies, dissipated energy and work."""
    run = golden(name)
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
    worst = max([worst, *(abs(x - float(y)) for x, y in zip((balance.kinetic, balance.dissipated, balance.work), run.energies))])
    assert worst < TOLERANCES[name] and abs(balance.drift) < 1e-14


@pytest.mark.parametrize("name", SETUPS)
def test_the_files_are_those_of_their_maker(name):
    """The first contacts, digit by digit."""
    made = [*lines(SETUPS[name], 9)][:9]
    assert made == (FOLDER / f"{name}.txt").read_text().splitlines()[:9]


@pytest.mark.parametrize("name", SETUPS)
def test_the_balance_of_the_files_closes(name):
    """Kinetic + dissipated - work is what it was, to 28 digits; and there are as many contacts as the setup says."""
    run = golden(name)
    kinetic, dissipated, work = run.energies
    start = sum(m * (vx * vx + vy * vy) / 2 for *_, vx, vy, _, m in run.setup["discs"])
    start += sum(k["mass"] * k.get("velocity", 0)**2 / 2 for kind, _, k in run.setup.get("obstacles", []) if kind == "Piston")
    assert abs(float(kinetic + dissipated - work) - start) < 1e-15 and len(run.contacts) == run.setup["contacts"]
    assert [contact.time for contact in run.contacts] == sorted(contact.time for contact in run.contacts)
    assert len(run.contacts) >= 40 and math.isfinite(float(sum(run.state)))


def test_a_file_without_its_end(tmp_path, monkeypatch):
    """Is refused."""
    (tmp_path / "half.txt").write_text("0.5 0 1\n")
    monkeypatch.setattr("golden_runs.FOLDER", tmp_path)
    with pytest.raises(ValueError, match="half.txt has no line of energies"):
        golden("half")
