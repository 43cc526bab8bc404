"""Initial states: positions of n discs or spheres at any packing fraction, and velocities at a given temperature.

    triangular            the triangular lattice in a matching periodic box: packing fractions up to 0.9069
    fcc, bcc, simple_cubic   lattices of spheres in a periodic cube: up to 0.7405, 0.6802 and 0.5236
    sequential_addition   random sequential addition: up to about 0.54, of spheres 0.38
    compressed            discs grow while they move and collide: up to about 0.89, spheres to 0.64, and mixtures of any radii
    thermal_velocities    velocities of an exact temperature

`sequential_addition`, `compressed` and `thermal_velocities` are of spheres if their box has a depth.

A state has the requested packing fraction to rounding and no overlaps beyond rounding, or PackingError gives the packing fraction
that was reached. The same arguments give the same bits on every machine, because random numbers are those of `draws` and only
+ - * / and sqrt are applied to them.
"""
from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..language import plural
from ..model.box import Box, BoxLike, as_box
from ..model.errors import JammedError, PackingError
from ..model.numbers import RANGE, real, shown, whole
from ..model.obstacles import Obstacle
from ..system import CollisionSystem
from ..system.arrays import numbers, shape_of
from ..system.engines import core_of
from ..system.keywords import Settings, check_options
from ..system.surroundings import as_obstacles
from ..theory import CLOSE_PACKING
from .addition import Places, Uniform
from .draws import cube_root, normal, streams
from .obstructions import Obstructions
from .swelling import Swelling

if TYPE_CHECKING:
    from typing_extensions import Unpack

START = 0.35            # packing fraction at which a compression starts; at most half of the requested one
CONTACTS = 10           # contacts of each disc between two adjustments of the temperature, which rises as discs grow
SIZELESS = 2.0**-60     # packing fraction below which discs that find no room have none
NO_FLIGHT = 1e-7        # discs that fly less than this, in diameters, between contacts are jammed


class State(NamedTuple):
    """Discs or spheres without velocities: positions (n, d) and radii (n,), in length units, and the box."""

    positions: np.ndarray
    radii: np.ndarray
    box: Box

    @property
    def packing_fraction(self) -> float:
        """Sum of the areas of the discs, or volumes of the spheres, divided by that of the box."""
        box = as_box(self.box)
        return _contents(self.radii, box.dimension) / box.volume

    def system(self, temperature: float = 1.0, *, masses: Any = 1.0, seed: int = 0, zero_momentum: bool = False,
               k_B: float = 1.0, **options: Unpack[Settings]) -> CollisionSystem:
        """A system of these discs with `thermal_velocities` of this temperature. masses: (n,) or one number. Other options as for
        `CollisionSystem.from_arrays`; TypeError for an unknown one."""
        check_options("State.system", options, "temperature", "masses", "seed", "zero_momentum")
        masses = numbers("masses", masses, self.radii.shape)
        velocities = thermal_velocities(masses, temperature, seed, zero_momentum=zero_momentum, box=self.box, k_B=k_B)
        return CollisionSystem.from_arrays(self.positions, velocities, self.radii, masses, box=self.box, k_B=k_B, seed=seed,
                                           **options)


def _sum(values: np.ndarray) -> float:
    """The sum of all elements, correctly rounded, so that it does not depend on the order of summation."""
    return math.fsum(values.ravel().tolist())


def _contents(radii: np.ndarray, d: int) -> float:
    """The area of discs, or the volume of spheres, of these radii."""
    return math.pi * _sum(radii * radii) if d == 2 else 4 / 3 * math.pi * _sum(radii * radii * radii)


# Positions

def triangular(n: int, packing_fraction: float, *, width: float = 1.0, obstacles: Iterable[Obstacle] = ()) -> State:
    """n discs on a triangular lattice in a periodic box of complete rows, with this width, the height of the lattice, and a shape
    that is as nearly square as n allows.

    There is no room for obstacles between discs on a lattice: TypeError for any, because `sequential_addition`, `compressed` and
    `hdsim.random` place discs among them. The number of rows is even. ValueError if the packing fraction is not above 0 and at
    most 0.9069 (close packing), or if n discs do not form such a lattice in a box whose longer side is at most twice the shorter
    one.
    """
    _refuse_obstacles("triangular", obstacles)
    n, packing_fraction, width = whole("n", n), real("packing_fraction", packing_fraction), real("width", width)
    if not 1 / RANGE <= width <= RANGE:
        raise ValueError(f"width is {shown(width)}; it must be positive and finite")
    if not 0 < packing_fraction <= CLOSE_PACKING:
        raise ValueError(f"packing_fraction is {shown(packing_fraction)}; it must be above 0 and at most {CLOSE_PACKING:.6f}, "
                         f"that of touching discs")
    columns = _columns(n)
    if columns == 0:
        raise ValueError(f"{n} discs make no triangular lattice in a box that is nearly square; the nearest that do are "
                         f"{' and '.join(map(str, _next_lattices(n)))}")
    rows = n // columns
    spacing = width / columns
    box = Box(width, rows * (spacing * math.sqrt(0.75)), (True, True))
    column, row = np.arange(n) % columns, np.arange(n) // columns
    positions = np.column_stack(((column + 0.25 + 0.5 * (row % 2)) * spacing, (row + 0.5) * (box.height / rows)))
    return State(positions, _scaled(np.ones(n), packing_fraction, box), box)


def _columns(n: int) -> int:
    """The number of discs in a row of the lattice of n discs whose box is most nearly square; 0 if there is no lattice in a box
    whose longer side is at most twice the shorter one."""
    def shape(columns: int) -> float:
        """The longer side of the box divided by the shorter one."""
        ratio = columns * columns / (n * math.sqrt(0.75))
        return max(ratio, 1.0 / ratio)

    # With fewer than 3 columns or 4 rows, a disc would have two images of another disc among its nearest neighbours.
    fitting = [k for k in range(3, math.isqrt(2 * max(n, 0)) + 1)
               if n % (2 * k) == 0 and n >= 4 * k and shape(k) <= 2.0]
    return min(fitting, key=shape, default=0)


def _next_lattices(n: int) -> list[int]:
    """The next smaller (if there is one) and the next larger number of discs that form a lattice; 12 is the smallest."""
    smaller = next((k for k in range(n - 1, 11, -1) if _columns(k)), None)
    larger = next(k for k in range(max(n + 1, 12), 2 * max(n, 12)) if _columns(k))
    return [larger] if smaller is None else [smaller, larger]


def fcc(n: int, packing_fraction: float, *, side: float = 1.0) -> State:
    """n = 4 k^3 spheres on a face-centred cubic lattice in a periodic cube of this side: up to 0.7405, close packing.

    ValueError, with the nearest numbers, for another n; for a packing fraction at which spheres would overlap; and for fewer
    spheres than have room for two diameters along each side."""
    return _cubic("fcc", n, packing_fraction, side)


def bcc(n: int, packing_fraction: float, *, side: float = 1.0) -> State:
    """n = 2 k^3 spheres on a body-centred cubic lattice in a periodic cube: up to 0.6802. Arguments and errors as for `fcc`."""
    return _cubic("bcc", n, packing_fraction, side)


def simple_cubic(n: int, packing_fraction: float, *, side: float = 1.0) -> State:
    """n = k^3 spheres on a simple cubic lattice in a periodic cube: up to 0.5236. Arguments and errors as for `fcc`."""
    return _cubic("simple_cubic", n, packing_fraction, side)


# Positions in a cubic cell, in quarters of its side, and the packing fraction at which spheres touch.
_CUBIC = {"fcc": (((1, 1, 1), (1, 3, 3), (3, 1, 3), (3, 3, 1)), math.pi / math.sqrt(18)),
          "bcc": (((1, 1, 1), (3, 3, 3)), math.pi * math.sqrt(3) / 8),
          "simple_cubic": (((2, 2, 2),), math.pi / 6)}


def _cubic(name: str, n: int, packing_fraction: float, side: float) -> State:
    """The state of a cubic lattice; `fcc` explains arguments and errors."""
    cell, densest = _CUBIC[name]
    n, packing_fraction, side = whole("n", n), real("packing_fraction", packing_fraction), real("side", side)
    if not 1 / RANGE <= side <= RANGE:
        raise ValueError(f"side is {shown(side)}; it must be positive and finite")
    if not 0 < packing_fraction <= densest:
        raise ValueError(f"packing_fraction is {shown(packing_fraction)}; it must be above 0 and at most {densest:.6f}, that of "
                         f"touching spheres" + ("; hdsim.states.fcc goes up to 0.740480" if name != "fcc" else ""))
    cells = max(round((n / len(cell)) ** (1 / 3)), 1) if n > 0 else 1
    if n != len(cell) * cells**3:
        near = [len(cell) * k**3 for k in range(max(cells - 1, 1), cells + 2)]
        ends = [*[m for m in near if m < n][-1:], *[m for m in near if m > n][:1]]
        raise ValueError(f"{n} spheres make no {name} lattice in a cube; the nearest that do are {' and '.join(map(str, ends))}; "
                         f"hdsim.states.compressed takes any number")
    box = Box(side, side, (True,) * 3, side)
    corner = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    positions = (4 * corner + np.array(cell)).reshape(-1, 3) * (side / (4 * cells))
    radii = _scaled(np.ones(n), packing_fraction, box)
    if not 4 * radii[0] < side:
        raise ValueError(plural(f"at this packing fraction the radius of {n} sphere(s) is {radii[0]:.6g}; it must be less than a "
                                f"quarter of the side, {side:g}: take more spheres"))
    return State(positions, radii, box)


def sequential_addition(radii: Any, packing_fraction: float, seed: int = 0, *, box: BoxLike | None = None,
                        obstacles: Iterable[Obstacle] = ()) -> State:
    """Discs at random positions by random sequential addition: one after another, the largest first, each uniformly where it
    overlaps no other. The state is not in equilibrium. In a box with a depth the same with spheres.

    radii: the number of equal discs, or (n,) in any unit, of which only the ratios and the order are used. packing_fraction: of
    the result. box: a `Box`, or (width, height) of a box with walls; the periodic unit square by default. obstacles: shapes
    such as `hdsim.Segment` that no disc may overlap, whatever their species and times; give them to `State.system` too. The
    packing fraction counts the whole box, with the area of the obstacles.

    Equal discs saturate at about 0.547 (Feder, J. Theor. Biol. 87, 237, 1980), equal spheres at 0.384. PackingError, with the
    packing fraction reached, is raised only when no free position is left, which is decided by the method of Zhang and Torquato,
    Phys. Rev. E 88, 053312 (2013). ValueError for arguments out of range, and for discs that are too large for the box.
    """
    wanted, small, unit = _wanted(radii, packing_fraction, box)
    stream, = streams(seed, 1)
    positions = _added(wanted, small, stream.uniform, unit, Obstructions(as_obstacles(obstacles, small), small, unit))
    return _in_units(State(positions, wanted, small), unit)


def _wanted(radii: Any, packing_fraction: float, box: BoxLike | None) -> tuple[np.ndarray, Box, float]:
    """The radii with which the discs have this packing fraction, the box, and a unit, which is a power of two: radii and box are
    divided by it, so that the box has a size of about 1."""
    box = as_box(box, Box(periodic=(True, True)))
    if not 0 < real("packing_fraction", packing_fraction) < 1:
        raise ValueError(f"packing_fraction is {shown(packing_fraction)}; it must be above 0 and below 1")
    shape = shape_of("radii", radii)
    ratios = numbers("radii", radii, shape) if shape else np.ones(whole("radii", radii))
    if ratios.ndim != 1 or len(ratios) == 0:
        raise ValueError(f"radii has shape {np.shape(ratios)}; expected (n,) with n > 0, or a number of discs")
    bad = np.flatnonzero(~((ratios > 0) & (ratios < np.inf)))
    if len(bad):
        raise ValueError(f"disc {bad[0]}: radius is {ratios[bad[0]]}; it must be above 0 and finite")
    unit = 2.0 ** math.frexp(max(box.lengths))[1]
    small = _times(box, 1 / unit)
    scaled = _scaled(ratios / ratios.max(), float(packing_fraction), small)
    for length, periodic in zip(small.lengths, small.periodic):
        largest = float(scaled.max())
        if not (4 if periodic else 2) * largest < length:
            raise ValueError(f"at this packing fraction the largest radius is {largest * unit:.6g}; it must be less than "
                             f"{'a quarter' if periodic else 'half'} of the box, which is {length * unit:.6g} wide "
                             f"or high: take more discs" if box.dimension == 2 else
                             f"at this packing fraction the largest radius is {largest * unit:.6g}; it must be less than "
                             f"{'a quarter' if periodic else 'half'} of each side of the box, {length * unit:.6g} among them: "
                             f"take more spheres")
    return scaled, small, unit


def _scaled(ratios: np.ndarray, packing_fraction: float, box: Box) -> np.ndarray:
    """Radii in these ratios with this packing fraction in the box."""
    share = packing_fraction * box.volume / _contents(ratios, box.dimension)
    return ratios * _root(share, box.dimension)


def _root(x: float, d: int) -> float:
    """The square root, or for three dimensions the cube root, with the same bits on every machine."""
    return math.sqrt(x) if d == 2 else cube_root(x)


def _times(box: Box, factor: float) -> Box:
    """The box with all lengths multiplied by a factor."""
    return Box.of([length * factor for length in box.lengths], box.periodic)


def _in_units(state: State, unit: float) -> State:
    """The state with all lengths multiplied by `unit`."""
    return State(state.positions * unit, state.radii * unit, _times(state.box, unit))


def _added(radii: np.ndarray, box: Box, uniform: Uniform, unit: float, obstacles: Obstructions | None = None) -> np.ndarray:
    """Positions (n, d) of these discs by random sequential addition. uniform(k): k random numbers in (0, 1). PackingError if
    there is no room for a disc; its state has lengths multiplied by `unit`."""
    n = len(radii)
    order = np.argsort(-radii, kind="stable")
    falling = radii[order]
    places = Places(falling, box, obstacles)
    if not places.fill(uniform):
        state = _in_units(State(places.positions[:places.count], falling[:places.count], box), unit)
        reached = state.packing_fraction
        raise PackingError(f"saturated at packing fraction {reached:.6f}: there is no room left for disc "
                           f"{places.count + 1} of {n}", reached, state)
    result = np.empty((n, box.dimension))
    result[order] = places.positions
    return result


def compressed(radii: Any, packing_fraction: float, seed: int = 0, *, box: BoxLike | None = None,
               rate: float = 0.01, obstacles: Iterable[Obstacle] = ()) -> State:
    """Discs that have grown, all in the same proportion, while they moved and collided (Lubachevsky and Stillinger, J. Stat.
    Phys. 60, 561, 1990), starting from random sequential addition. In a box with a depth the same with spheres.

    radii: the number of equal discs, or (n,) in any unit, of which only the ratios and the order are used. packing_fraction: of
    the result. box: a `Box`, or (width, height) of a box with walls; the periodic unit square by default. rate: the growth rate
    of the mean diameter, in units of sqrt(kT/m). A lower rate keeps the state nearer to equilibrium, reaches higher packing
    fractions and takes longer. At 0.01 each disc has some 300 contacts until 0.7, where the fluid of equal discs ends.

    obstacles: shapes such as `hdsim.Circle` that no disc may overlap, whatever their species and times; give them to
    `State.system` too. The packing fraction counts the whole box, with the area of the obstacles. Among obstacles discs grow by
    steps of at most a quarter of their free flight and 2 %, and move at this rate between them.

    PackingError, with the packing fraction and the state that were reached, is raised if the discs jam: beyond about 0.845 in
    mixtures and 0.89 for equal discs, near 0.65 for spheres, and earlier at high rates. A state that jams at a rate of 0.001 is
    rigid. ValueError for arguments out of range, and for discs that are too large for the box.
    """
    if not 0 < real("rate", rate) < math.inf:
        raise ValueError(f"rate is {shown(rate)}; it must be positive and finite")
    wanted, box, unit = _wanted(radii, packing_fraction, box)
    shapes = as_obstacles(obstacles, _times(box, unit))
    rate, packing_fraction = float(rate), float(packing_fraction)
    places, motions = streams(seed, 2)
    start = min(START, 0.5 * packing_fraction)
    solids = Obstructions(shapes, box, unit) if shapes else None
    positions, size = _started(wanted, packing_fraction, start, box, places.uniform, solids)
    velocities = normal(len(wanted), motions, box.dimension)
    press: _Press | _Crowd = (_Press(State(positions, wanted, box), size, rate, velocities) if not shapes else
                              _Crowd(State(positions, wanted, box), size, rate, velocities, shapes, unit))
    while not press.done:
        if not press.advance():
            state = _in_units(press.state(), unit)
            reached = state.packing_fraction
            raise PackingError(f"jammed at packing fraction {reached:.6f}, asked for {packing_fraction:g}: a lower rate than "
                               f"{rate:g}, or another seed, may bring more", reached, state)
    return _in_units(press.state(), unit)


def _refuse_obstacles(function: str, obstacles: Any) -> None:
    """TypeError unless `obstacles` is an empty sequence."""
    if not isinstance(obstacles, (tuple, list)) or obstacles:
        raise TypeError(f"{function}: obstacles were given, and discs are placed without any; "
                        f"hdsim.states.sequential_addition and hdsim.random take obstacles")


def _started(radii: np.ndarray, packing_fraction: float, start: float, box: Box, uniform: Uniform,
             obstacles: Obstructions | None = None) -> tuple[np.ndarray, float]:
    """Positions (n, d) of these discs at a smaller size, and that size as a factor of the radii. The packing fraction `start` is
    halved until random sequential addition succeeds, because a few discs may not find room at first. PackingError if they find
    none among obstacles at any size."""
    while True:
        size = _root(start / packing_fraction, box.dimension)
        try:
            return _added(size * radii, box, uniform, 1.0, obstacles), size
        except PackingError as error:
            start *= 0.5
            # Where not even one disc finds room, smaller ones seldom do.
            if start < (SIZELESS if len(error.state.radii) else START / 256):
                raise


class _Press:
    """Discs that grow to their final radii in an engine, at a nearly constant temperature. size: initial factor of the radii."""

    def __init__(self, state: State, size: float, rate: float, velocities: np.ndarray) -> None:
        self.radii, self.box = state.radii, state.box
        self.rate = rate
        self.flight = 2.0 * _sum(state.radii) / len(state.radii)      # in the unit of time
        self.done = False
        core = core_of(state.box.dimension)
        self.engine = core.Engine(len(state.radii), state.box.lengths, state.box.periodic, False, True,
                                  True, True, False, *core.choose_cells(state.radii, state.box.lengths))
        self.engine.grow(size, rate)
        self._load(state.positions, velocities)

    def _load(self, positions: np.ndarray, velocities: np.ndarray) -> None:
        """Load this state into the engine, with velocities scaled to the temperature at which the root mean square of a velocity
        component is one mean diameter per time unit."""
        n, d = velocities.shape
        total = _sum(velocities * velocities)
        velocities = velocities * (self.flight * math.sqrt(d * n / total))
        self.engine.load(positions, velocities, self.radii, np.ones(n))

    def advance(self) -> bool:
        """Run for CONTACTS contacts of each disc, or to the final size, and reset the temperature. False if the discs are
        jammed."""
        engine, n = self.engine, len(self.radii)
        time, last = engine.time, engine.events + max(CONTACTS * n // 2, 1)
        engine.set_until(time + (1.0 - engine.size) / self.rate)
        try:
            engine.run(0, last)
        except JammedError:
            return False
        self.done = engine.events < last
        if self.done:
            return True
        velocities = np.empty((n, self.box.dimension))
        engine.velocities(velocities)
        self._load(self._positions(), velocities)
        return engine.time - time > CONTACTS * NO_FLIGHT

    def _positions(self) -> np.ndarray:
        positions = np.empty((len(self.radii), self.box.dimension))
        self.engine.positions_at(positions)
        return positions

    def state(self) -> State:
        """The present positions, with the present radii."""
        return State(self._positions(), self.radii if self.done else self.radii * self.engine.size, self.box)


class _Crowd:
    """As `_Press`, among obstacles. Lengths of the state are multiplied by `unit` to be those of the obstacles."""

    def __init__(self, state: State, size: float, rate: float, velocities: np.ndarray, obstacles: tuple[Obstacle, ...],
                 unit: float) -> None:
        self._radii, self._box, self._unit = state.radii, state.box, unit
        large = _in_units(state, unit)
        scale = 2.0 * _sum(large.radii) / len(large.radii)      # a mean diameter per time unit
        self._swelling = Swelling(large.positions, velocities * scale, large.radii, size, rate, large.box, obstacles)

    @property
    def done(self) -> bool:
        return self._swelling.done

    def advance(self) -> bool:
        """Grow by one step. False if the discs are jammed."""
        return self._swelling.advance()

    def state(self) -> State:
        """The present positions, with the present radii."""
        radii = self._radii if self.done else self._radii * self._swelling.size
        return State(self._swelling.positions / self._unit, radii, self._box)


# Velocities

def thermal_velocities(masses: Any, temperature: float, seed: int = 0, *, zero_momentum: bool = False,
                       box: BoxLike | None = None, k_B: float = 1.0) -> np.ndarray:
    """(n, d) Gaussian velocities, scaled so that the temperature is exact to rounding.

    The temperature is that of a `CollisionSystem` in this box (of two dimensions with walls, by default), which leaves out the
    motion of the centre of mass along periodic axes. masses: (n,); discs of infinite mass are at rest. zero_momentum: subtract
    the velocity of the centre of mass of the others, also between walls. seed: equal seeds give equal bits. ValueError for
    arguments out of range, and if too few discs can move to have a temperature.
    """
    masses = numbers("masses", masses, shape_of("masses", masses))
    if masses.ndim != 1:
        raise ValueError(f"masses has shape {masses.shape}; expected (n,)")
    bad = np.flatnonzero(~(masses > 0))
    if len(bad):
        raise ValueError(f"disc {bad[0]}: mass is {masses[bad[0]]}; it must be > 0, or infinite for a fixed disc")
    if not 0 <= real("temperature", temperature) < math.inf:
        raise ValueError(f"temperature is {shown(temperature)}; it must be >= 0 and finite")
    if not 0 < real("k_B", k_B) < math.inf:
        raise ValueError(f"k_B is {shown(k_B)}; it must be positive and finite")
    temperature, k_B = float(temperature), float(k_B)
    periodic = as_box(box).periodic
    d = len(periodic)
    velocities = np.zeros((len(masses), d))
    mobile = np.isfinite(masses)
    m = masses[mobile, None]
    if temperature == 0 or len(masses) == 0:
        return velocities
    stream, = streams(seed, 1)
    v = normal(len(masses), stream, d)[mobile] / np.sqrt(m)
    drift = np.array([_sum(m[:, 0] * v[:, axis]) for axis in range(d)]) / _sum(m) if len(m) else np.zeros(d)
    if zero_momentum:
        v, drift = v - drift, np.zeros(d)
    # Axes along which the motion of the centre of mass does not count for the temperature.
    free = np.array(periodic if mobile.all() else (False,) * d)
    energy = 0.5 * (_sum(m * (v * v)) - _sum(m) * _sum(drift * drift * free))
    freedom = d * len(m) - int(free.sum())
    if len(m) < (2 if zero_momentum or free.all() else 1):
        raise ValueError(f"discs that can move: {len(m)}; more are needed for a temperature of {temperature}")
    velocities[mobile] = v * math.sqrt(0.5 * k_B * temperature * freedom / energy)
    return velocities
