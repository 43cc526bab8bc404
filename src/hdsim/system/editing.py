"""Changes of discs: the arrays of an edit, and the replacement of the engine by one with the changed discs."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .. import _core
from ..model.box import Box, BoxLike, Rectangle, as_box
from ..model.errors import NoRoomError
from ..model.gates import gates_among
from ..model.law import Restitution, law_of
from ..model.numbers import real, shown
from ..model.obstacles import Obstacle, conserved_axes
from ..model.species import numbered_species
from ..model.thermal import Thermal, heat_of, is_heated
from .admission import Setting, validate
from .arrays import color_array, numbers
from .keywords import nearest
from .halves import Gas
from .ledger import start_of
from .looking import counters, filled, sizes, thermal_share
from .surroundings import as_obstacles, as_species, check_room, standing
from .weight import check_rest

Kind = TypeVar("Kind", bound=type)


class Edit:
    """The discs of a system in an edit block, as writable arrays, its obstacles as a list, its box, the law of its motion, its
    thermal sides, and its temperature; see `CollisionSystem.edit`. AttributeError for other fields."""

    FIELDS = ("positions", "velocities", "radii", "masses", "colors", "species", "obstacles", "box", "restitution",
              "contact_time", "gravity", "walls")
    positions: np.ndarray       # (n, d) in d dimensions, length units
    velocities: np.ndarray      # (n, d), length per time
    radii: np.ndarray           # (n,), length units
    masses: np.ndarray          # (n,), mass units
    colors: np.ndarray          # (n, 3) uint8
    species: np.ndarray         # (n,) whole numbers
    obstacles: list[Obstacle]   # shapes, in their order
    box: BoxLike                # another `Box` with the same periodic axes, or its lengths
    restitution: Restitution    # as `CollisionSystem` takes it
    contact_time: float         # time units
    gravity: Sequence[float] | None     # (d,), length per time^2
    walls: dict[str, Thermal]   # the thermal sides, such as {"left": Thermal(2.)}; another dict, or this one, changed

    def __init__(self, whole: Discs, setting: Setting, k_B: float) -> None:
        box, law = setting.box, setting.law
        self._scale = k_B, tuple(box.periodic)
        for name in self.FIELDS[:5]:
            setattr(self, name, getattr(whole, name).copy())
        self.species = whole.felt().copy()
        self.obstacles = list(whole.obstacles)
        self.box = box
        self.restitution, self.contact_time = law.restitution, law.contact_time
        self.gravity = law.gravity or (0.0,) * box.dimension
        self.walls = dict(setting.heat.walls)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (*self.FIELDS, "temperature", "_scale"):
            raise _no_field(name)
        super().__setattr__(name, value)

    @property
    def temperature(self) -> float:
        """As `CollisionSystem.temperature`, of the velocities in the block. Assign another one: the velocities of all discs of
        finite mass are multiplied by one factor. ValueError for a negative one, and where the discs are at rest."""
        masses, velocities = np.asarray(self.masses, float), np.asarray(self.velocities, float)
        mobile = np.isfinite(masses)
        momentum = (masses[mobile, None] * velocities[mobile]).sum(axis=0)
        k_B, periodic = self._scale
        conserved = conserved_axes(periodic, self.obstacles, is_heated(self.walls, self.obstacles))
        centre, freedom = thermal_share(masses, momentum, conserved)
        energy = 0.5 * float((masses[mobile, None] * velocities[mobile] ** 2).sum())
        return 2 * (energy - centre) / (k_B * freedom) if freedom else 0.0

    @temperature.setter
    def temperature(self, value: float) -> None:
        wanted, now = real("temperature", value), self.temperature
        if not 0 <= wanted < math.inf:
            raise ValueError(f"temperature is {shown(value)}; it must be >= 0 and finite")
        if now <= 0 < wanted:
            raise ValueError("temperature: the discs are at rest, and have no directions to move in; set draft.velocities")
        if now > 0:
            self.velocities[np.isfinite(np.asarray(self.masses, float))] *= math.sqrt(wanted / now)

    def __getattr__(self, name: str) -> Any:       # Python calls it only for missing attributes
        raise _no_field(name)

    def checked_box(self, before: Box) -> Box:
        """The box after the edit; a pair of lengths keeps the periodic axes. ValueError for other periodic axes, TypeError or
        ValueError for what is no box."""
        box = self.box
        if not isinstance(box, Rectangle):
            plain = as_box(box)
            if plain.dimension != before.dimension:
                raise ValueError(f"box is {shown(box)}; it must have {before.dimension} lengths")
            box = Box.of(plain.lengths, before.periodic)
        found = as_box(box)
        if tuple(found.periodic) != tuple(before.periodic):
            raise ValueError(f"box is {found!r}; its periodic axes must be those of the system, {shown(before)}")
        return found

    def checked_setting(self, before: Setting) -> Setting:
        """The setting after the edit. Errors of `checked_box`, and of the arguments of `CollisionSystem`."""
        box, law = self.checked_box(before.box), law_of(self.restitution, self.contact_time, self.gravity)
        return before._replace(box=box, law=law, heat=heat_of(self.walls, before.heat.seed, box))

    def checked(self, whole: Discs, box: Box) -> Discs:
        """These discs and obstacles, converted to the types of the core. whole: those before the edit. ValueError for other
        shapes of arrays, TypeError or ValueError for what is no obstacle."""
        n, d = whole.positions.shape
        species = as_species(self.species, n)
        return whole._replace(
            positions=numbers("positions", self.positions, (n, d)), velocities=numbers("velocities", self.velocities, (n, d)),
            radii=numbers("radii", self.radii, (n,)), masses=numbers("masses", self.masses, (n,)),
            colors=color_array(self.colors, n), obstacles=as_obstacles(self.obstacles, box),
            species=whole.species if np.array_equal(whole.felt(), species) else species)


# Derived quantities that a user may try to assign, and the field that determines each.
FOLLOWING = {"kinetic_energy": "velocities", "momentum": "velocities", "speeds": "velocities",
             "packing_fraction": "radii", "unwrapped_positions": "positions"}


def _no_field(name: str) -> AttributeError:
    near = [FOLLOWING[name]] if name in FOLLOWING else nearest(name, Edit.FIELDS, 0.5)
    end = (f"; system.{name}, outside of the edit, does that" if name in ("add", "remove", "reverse", "simulate", "step") else
           "".join(f"; nearest is {n}" for n in near))
    return AttributeError(f"an edit has {', '.join(Edit.FIELDS)}, and no {name!r}{end}")


def explained(cls: Kind) -> Kind:
    """Class decorator: give each public property a setter that raises AttributeError and explains how discs are changed."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, property) and not name.startswith("_"):
            setattr(cls, name, member.setter(_refusal(name)))
    return cls


def _refusal(name: str) -> Callable[[Any, Any], None]:
    what = f"the {name.replace('_', ' ')}" if name in Edit.FIELDS[6:] else "the discs"
    way = (f"`with system.edit() as draft: draft.{name} = ...` changes {what}" if name in (*Edit.FIELDS, "temperature") else
           f"`with system.edit() as draft` changes {', '.join(Edit.FIELDS)}, and nothing else")

    def refuse(system: Any, value: Any) -> None:
        raise AttributeError(f"system.{name} cannot be assigned: {way}")

    return refuse


def changed_ids(ids: np.ndarray, next_id: int) -> np.ndarray | None:
    """The ascending ids, made read-only; None if they are 0 ... n - 1, which holds exactly if no disc was ever removed."""
    if next_id == len(ids):
        return None
    ids.flags.writeable = False
    return ids


class Discs(NamedTuple):
    """All discs of an engine at one instant, and its obstacles. counters: (n, 2 + d), as `looking.counters`. ids: (n,). species:
    (n,), or None for those of the sizes."""

    positions: np.ndarray
    velocities: np.ndarray
    radii: np.ndarray
    masses: np.ndarray
    colors: np.ndarray
    counters: np.ndarray
    ids: np.ndarray
    species: np.ndarray | None
    obstacles: tuple[Obstacle, ...]

    def felt(self) -> np.ndarray:
        """(n,): the species, those of the sizes if none were given."""
        return numbered_species(self.radii, self.masses) if self.species is None else self.species

    def with_species(self, added: Any, species: int | None) -> np.ndarray | None:
        """(n + 1,): the species after a disc `added` of species `species` is added; None for that of the discs of its radius and
        mass, or, if there are none, a new one. The result is None where species are those of the sizes still."""
        if species is None and self.species is None:
            return None
        felt = self.felt()
        alike = (self.radii == added.radius) & (self.masses == added.mass)
        if species is None:
            species = int(felt[alike][0]) if alike.any() else int(felt.max(initial=-1)) + 1
        return as_species([*felt.tolist(), species], len(felt) + 1)

    def mapped(self, change: Callable[[str, np.ndarray], np.ndarray]) -> Discs:
        """These discs, with each array, of this name, replaced by what `change` returns."""
        changed: dict[str, Any] = {name: change(name, value) for name, value in zip(Discs.__annotations__, self)
                                   if isinstance(value, np.ndarray)}
        return self._replace(**changed)


def present(engine: _core.Engine, setting: Setting) -> Discs:
    """The discs of an engine now, and its obstacles."""
    radii, masses = sizes(engine)
    ids = engine.ids
    return Discs(filled(engine, "positions_at"), filled(engine, "velocities"), radii, masses, engine.colors,
                 counters(engine, setting.box.lengths),
                 np.arange(len(engine), dtype=np.int64) if ids is None else ids, engine.species, standing(engine))


def replace(system: Any, old: _core.Engine, before: Setting, whole: Discs, after: Discs, next_id: int,
            setting: Setting | None = None) -> None:
    """Replace the engine of `system` by a new one with other discs, obstacles or another setting at the same time. If this fails,
    nothing has changed.

    old: the present engine; the caller must be in a `with` block of it. before: its setting. whole: its discs, from `present`.
    after: the new discs. setting: the new one, or None if it is the same. next_id: the id that the next added disc gets.
    RuntimeError while observers are attached; ValueError if the new state is not legal, NoRoomError if discs overlap that
    did not overlap before, or if a disc overlaps an obstacle, unless both are as before."""
    if old.observers:
        raise RuntimeError("discs cannot be changed while they are observed: the sums are of these discs. Detach the "
                           "observers first (observer.detach())")
    setting = setting or before
    same = setting.box == before.box
    moved = _moved(whole, after) if same else np.full(len(after.ids), True)     # in another box all may overlap
    validate(setting.box, after.positions, after.velocities, after.radii, after.masses, moved)
    _check_obstacles(setting.box, old.time, whole, after, moved)
    # If no disc was moved or added, discs can overlap only if some did before: so the search is skipped.
    overlaps = setting.overlaps(after.positions, after.radii, after.ids) if old.overlapping or moved.any() else set()
    fresh = overlaps and overlaps - before.overlaps(whole.positions, whole.radii, whole.ids)
    if fresh:
        i, j = min(fresh)
        pair = tuple(int(np.flatnonzero(after.ids == k)[0]) for k in (i, j))
        still = tuple(k for k in pair if not moved[k])
        raise NoRoomError(f"discs {pair[0]} and {pair[1]} would overlap"
                          + (f", and {len(fresh) - 1} more pairs" if len(fresh) > 1 else ""),
                          sum(pair) - still[0] if still else None, still or pair)
    engine = setting.engine(after.radii, after.masses, 0.0, bool(overlaps), after.colors, changed_ids(after.ids, next_id),
                            next_id, after.obstacles, after.species)
    check_rest(setting.law.gravity, setting.box, after.obstacles, old.time, after.positions, after.velocities, after.radii,
               after.felt())
    engine.continue_from(old)
    _continue_contacts(old, engine, whole, after)
    if counts := old.thermal_contacts():
        known = dict(zip(whole.ids.tolist(), counts))
        engine.continue_thermal_contacts([known.get(number, 0) for number in after.ids.tolist()])
    _continue_gates(old, engine, whole, after, moved)
    engine.load(*map(np.ascontiguousarray, (after.positions, after.velocities, after.radii, after.masses, after.counters)))
    engine.starts = _continued_starts(old, setting.box, after, system.k_B)
    old.retire(system, engine, setting)


def _continue_contacts(old: _core.Engine, new: _core.Engine, whole: Discs, after: Discs) -> None:
    """Let discs that were there before remember when they had their last contact, if the law depends on it."""
    if ago := old.last_contacts():
        known = dict(zip(whole.ids.tolist(), ago))
        new.continue_contacts([known.get(number, math.inf) for number in after.ids.tolist()])


def _continue_gates(old: _core.Engine, new: _core.Engine, whole: Discs, after: Discs, moved: np.ndarray) -> None:
    """Let the gates that were there before go on with their counts, and with the discs that are in their doorways now. A disc
    that the edit has taken from a doorway, or moved, has no permission any more. moved: (n,), of the discs in `after`."""
    before = gates_among(whole.obstacles)
    if not before:
        return
    kept = {before.index(gate): k for k, gate in enumerate(gates_among(after.obstacles)) if gate in before}
    counts = [None if gate not in before else old.gate_counts(before.index(gate)) for gate in gates_among(after.obstacles)]
    place = {int(number): k for k, number in enumerate(after.ids) if not moved[k]}
    rows = [(place[int(whole.ids[disc])], kept[gate], side, image_x, image_y)
            for disc, gate, side, image_x, image_y in old.permissions() if gate in kept and int(whole.ids[disc]) in place]
    new.continue_gates(counts, rows)


def _continued_starts(old: _core.Engine, box: Box, after: Discs, k_B: float) -> tuple[Any, ...]:
    """The gas when each gate was put into the box: now, for those that were not there before."""
    before = gates_among(old.obstacles)
    gas = Gas(after.positions, after.velocities, after.radii, after.masses, after.felt(), k_B)
    return tuple(old.starts[before.index(gate)] if gate in before else start_of(gate, after.obstacles, box, gas, old.time)
                 for gate in gates_among(after.obstacles))


def _moved(whole: Discs, after: Discs) -> np.ndarray:
    """(n,) bool: the new discs that were added, moved, or have another radius."""
    known = np.isin(after.ids, whole.ids)
    place = np.searchsorted(whole.ids, after.ids[known])        # needs ascending ids
    moved: np.ndarray = ~known
    moved[known] = ((after.positions[known] != whole.positions[place]).any(axis=1)
                    | (after.radii[known] != whole.radii[place]))
    return moved


def _check_obstacles(box: Box, time: float, whole: Discs, after: Discs, moved: np.ndarray) -> None:
    """ValueError if a disc overlaps an obstacle that is new, or that it did not feel before, or if a moved disc overlaps any."""
    if not after.obstacles:
        return
    place = np.minimum(np.searchsorted(whole.ids, after.ids), max(len(whole.ids) - 1, 0))
    felt = after.felt()
    # Discs of another species feel other obstacles.
    changed = moved | (whole.felt()[place] != felt) if len(whole.ids) else moved
    known = set(whole.obstacles)
    for is_known, which in ((True, changed), (False, True)):
        some = {k for k, obstacle in enumerate(after.obstacles) if (obstacle in known) == is_known}
        check_room(box, after.obstacles, time, after.positions, after.radii, felt, which, some, not is_known)
