"""What can be done to a system in the middle of its run: MIDDLES, functions by name.

Each takes a system that has run for a while, and a number of events to run on; it returns what is to be compared, by names.
Times are in units of `instant(system)`, so that they suit any system.
"""
from __future__ import annotations

import copy
import ctypes
import pickle
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hdsim
from hdsim import CollisionSystem, Event, Observer
from hdsim.system.native import EVENT

Seen = dict[str, Any]
Middle = Callable[[CollisionSystem, int], Seen]

# What observers show besides `value` and `error`, if they do.
READINGS = ("axes", "walls", "virial", "energies", "pair_counts", "wall_counts", "moments", "flights", "histogram", "rms", "mean",
            "crossings", "lags", "by_species", "missed", "elapsed")
LOGS = (".csv", ".npy")     # of contacts
RECORDED = (*LOGS, ".xyz", ".lammpstrj")    # formats that need no other package


class Cost(NamedTuple):
    """Something that depends on settings for speed, or on the processor; it counts as statistics."""

    value: Any


def instant(system: CollisionSystem) -> float:
    """A time unit for a system that has run: a hundredth of the time so far."""
    return system.time / 100


def plain(event: Event | None) -> Any:
    """An event as plain values, floats bit for bit."""
    if event is None:
        return None
    contacts = [(c.i, c.j, c.wall, *(x.hex() for x in c.normal), c.impulse.hex()) for c in event.contacts]
    return event.time.hex(), event.kind, contacts, event.number


# Cut and looked at

def cut(system: CollisionSystem, events: int) -> Seen:
    """Run in pieces: by events, by time and by steps."""
    for piece in range(1, 30):
        system.simulate(max_events=events // 100 + piece)
        system.simulate(until=system.time + instant(system) / piece)
        system.step(instant(system) / 10)
    return {"end": system}


def one_by_one(system: CollisionSystem, events: int) -> Seen:
    """Event by event, with all contacts and impulses."""
    found = [plain(system.next_event()) for _ in range(events // 10)]
    found += [plain(event) for event in system.events(until=system.time + 3 * instant(system))]
    return {"end": system, "events": found}


def looked_at(system: CollisionSystem, events: int) -> Seen:
    """Read all that can be read, now and then; what depends on settings for speed is a cost."""
    seen: Seen = {"end": system}
    for number in range(5):
        system.simulate(max_events=events // 10)
        system.step(instant(system) / 7)
        ahead = system.schedule(40)
        flown = np.empty((len(system), 2), dtype=np.float32)
        system.advance_into(flown, at=0.5 * (system.time + ahead[0].time))
        frame = system.frame()
        seen |= {f"schedule {number}": [(each.time.hex(), *each[1:3]) for each in ahead], f"next {number}": plain(system.peek()),
                 f"flown {number}": flown, f"images {number}": frame.images, f"energy {number}": system.kinetic_energy,
                 f"temperature {number}": system.temperature, f"momentum {number}": system.momentum,
                 f"queue {number}": Cost(system.queue(200)), f"checks {number}": Cost(tuple(system.pair_checks)),
                 f"near {number}": Cost([system.near(i).candidates.tolist() for i in range(0, len(system), 7)])}
    return seen


# Copied and stored

def copied(system: CollisionSystem, events: int) -> Seen:
    """Copy it, and copy the copy; all three go on."""
    first = system.copy()
    system.simulate(max_events=events)
    second = copy.deepcopy(first)
    first.simulate(max_events=events)
    second.step(instant(system))
    return {"end": system, "copy": first, "second": second}


def pickled(system: CollisionSystem, events: int) -> Seen:
    """Restore it from a pickle; both go on."""
    restored = pickle.loads(pickle.dumps(system))
    for each in (system, restored):
        each.simulate(max_events=events)
    return {"end": system, "restored": restored}


def saved(system: CollisionSystem, events: int) -> Seen:
    """Restore it from a file; both go on."""
    with tempfile.TemporaryDirectory() as folder:
        system.save(Path(folder, "system.npz"))
        restored = hdsim.load(Path(folder, "system.npz"))
    for each in (system, restored):
        each.simulate(max_events=events)
    return {"end": system, "restored": restored}


def restarted(system: CollisionSystem, events: int) -> Seen:
    """Make a new system from the arrays of the old one."""
    start = (system.positions, system.velocities, system.radii, system.masses, system.colors)
    fresh = CollisionSystem.from_arrays(*start, box=system.box, time=system.time)
    fresh.simulate(max_events=events)
    return {"end": fresh}


# Changed

def edited(system: CollisionSystem, events: int) -> Seen:
    """Give discs other velocities; later smaller radii and other masses."""
    with system.edit() as draft:
        draft.velocities[:] = np.where(np.isinf(draft.masses)[:, None], draft.velocities, draft.velocities[:, ::-1])
    system.simulate(max_events=events // 2)
    with system.edit() as draft:
        draft.radii *= np.where(np.arange(len(system)) % 3 == 0, 0.5, 1.0)
        draft.masses[::2] *= 3.0
        draft.colors[:] = 1, 2, 3
    system.simulate(max_events=events // 2)
    return {"end": system, "colors": system.colors}


def added_and_removed(system: CollisionSystem, events: int) -> Seen:
    """Take one disc out and put it in again; later take others out."""
    disc = system[5]
    system.remove(5)
    system.add(disc)
    system.simulate(max_events=events // 2)
    system.remove(0)
    system.remove(-2)
    system.simulate(max_events=events // 2)
    return {"end": system, "ids": system.ids}


def reversed_(system: CollisionSystem, events: int) -> Seen:
    """Reverse it, let it run for a while, and reverse it again."""
    system.reverse()
    system.step(7 * instant(system))
    back = system.positions
    system.reverse()
    system.simulate(max_events=events)
    return {"end": system, "back": back}


# Called back

def timed(system: CollisionSystem, events: int) -> Seen:
    """Timers of several periods: one reads, one edits, one reverses and ends itself."""
    called: list[Any] = []

    def edit(event: Event) -> None:
        called.append(plain(event))
        with system.edit() as draft:
            draft.velocities[::2] *= 1.25
            draft.velocities[1::2] *= -0.75

    def reverse(event: Event) -> None:
        system.reverse()
        once.cancel()

    system.on_redraw(lambda event: called.append((plain(event), system.positions.tobytes())), every=instant(system) / 3)
    system.on_timer(edit, every=1.7 * instant(system))
    once = system.on_timer(reverse, every=2.3 * instant(system))
    system.simulate(until=system.time + 6 * instant(system), max_events=2 * events)
    return {"end": system, "called": called}


def called_back(system: CollisionSystem, events: int) -> Seen:
    """Callbacks for every kind of contact; one stops the run now and then."""
    called: list[Any] = []
    for kind in ("pair", "wall", "multi", None):
        system.on_collision(lambda event: called.append(plain(event)), kind)
    stopping = system.on_collision(lambda event: hdsim.STOP if event.contacts[0].i % 5 == 0 else None, "pair")
    stops = [(system.simulate(max_events=events // 10), system.time) for _ in range(20)]
    stopping.cancel()
    system.simulate(max_events=events // 4)
    return {"end": system, "called": called, "stops": stops}


def called_natively(system: CollisionSystem, events: int) -> Seen:
    """A callback in machine code, that stops the run now and then."""
    called: list[tuple[Any, ...]] = []

    def note(event: int, data: int | None) -> int:
        one = np.frombuffer(ctypes.string_at(event, EVENT.itemsize), dtype=EVENT)[0]
        called.append((one["time"].hex(), one["kind"].item(), one["contact_count"].item(), one["contact"].tobytes()))
        return len(called) % 100 == 0

    system.on_collision(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(note))
    stops = [(system.simulate(max_events=events // 10), system.time) for _ in range(20)]
    return {"end": system, "called": called, "stops": stops}


# Observed and recorded

def observed(system: CollisionSystem, events: int) -> Seen:
    """Attach every observer; a copy and a restored system go on with theirs, and some are reset or detached."""
    every, box = instant(system) / 4, system.box
    regions = [[0, 0, box.width / 2, box.height], [box.width / 4, box.height / 4, box.width, box.height / 2]]
    species = np.arange(len(system)) % 3 - 1
    for observer in (hdsim.Pressure(), hdsim.Temperature(), hdsim.CollisionRates(species), hdsim.FreePath(walls=True),
                     hdsim.FreeTime(), hdsim.Speed(), hdsim.Velocity(), hdsim.Flow(x=box.width / 3), hdsim.Flow(y=box.height / 2),
                     hdsim.MeanSquaredDisplacement(every), hdsim.VelocityAutocorrelation(every, levels=3),
                     hdsim.RegionFractions(regions, every), hdsim.EventRecorder(500), hdsim.EventRecorder(walls=False)):
        system.observe(observer)
    system.simulate(max_events=events // 2)
    twin, restored = system.copy(), pickle.loads(pickle.dumps(system))
    system.simulate(max_events=events // 2)
    restored.observers[0].reset()
    for each in (twin, restored):
        each.step(3 * instant(system))
    whole = readings("", system.observers) | readings("twin ", twin.observers) | readings("restored ", restored.observers)
    system.observers[3].detach()
    system.simulate(max_events=events // 4)
    return {"end": system, "twin": twin, "restored": restored, **whole, **readings("later ", system.observers)}


def readings(prefix: str, observers: Sequence[Observer]) -> Seen:
    """What each observer shows, by its place and class."""
    return {f"{prefix}{place} {type(observer).__name__}": {name: getattr(observer, name) for name in ("value", "error", *READINGS)
                                                           if hasattr(type(observer), name)}
            for place, observer in enumerate(observers)}


def recorded(system: CollisionSystem, events: int) -> Seen:
    """Write a file of every format that needs no other package."""
    seen: Seen = {"end": system}
    with tempfile.TemporaryDirectory() as folder:
        recordings = [system.record(Path(folder, f"run{suffix}"), None if suffix in LOGS else instant(system))
                      for suffix in RECORDED]
        system.step(3 * instant(system), max_events=events)
        for suffix, recording in zip(RECORDED, recordings):
            recording.close()
            seen[suffix] = Path(recording.path).read_bytes()
    system.simulate(max_events=events // 4)
    return seen


MIDDLES: dict[str, Middle] = {
    "cut": cut, "one by one": one_by_one, "looked at": looked_at, "copied": copied, "pickled": pickled, "saved": saved,
    "restarted": restarted, "edited": edited, "added and removed": added_and_removed, "reversed": reversed_, "timers": timed,
    "callbacks": called_back, "native callback": called_natively, "observed": observed, "recorded": recorded,
}
