"""The systems that are measured, as plain arrays: made by numpy alone, so that two builds begin with the same bits.

Nothing is timed here. A scene that is not a data set starts on a lattice with thermal velocities; a measurement lets it
come to equilibrium first.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

import hdsim
from hdsim import datasets

DATA_SETS = ("p2000", "p1000-2K", "brownian", "diffusion", "billiards5")
BINARIES = {"binary1": 1, "binary10": 10, "binary100": 100, "binary": 999}    # small discs for each large one
WITHOUT = {"grain": "molecules", "pollen": "medium", "bystander": "crowd"}      # the same without the big disc
MIXTURES = ("grain", "molecules", "pollen", "medium", *BINARIES, "powerlaw")
CROWDS = ("crowd", "bystander")
GASES = ("gas", "spheres")      # of equal discs, of equal spheres
SPHERE_RATIOS = {"spheres2": 2.0, "spheres10": 10.0}    # of the radii of two kinds of spheres that fill as much
SPHERE_MIXTURES = (*SPHERE_RATIOS, "lognormal")
LAWFUL = ("grains", "pegs", "shaken", "roaming", "falling")     # the gas with a law, or with obstacles
FAMILIES = (*GASES, *CROWDS, *MIXTURES, *SPHERE_MIXTURES, *LAWFUL, "galperin")
SEED = 20220101

GRAIN = 0.1             # radius of the big disc in the unit box ...
GRAIN_MASS = 100.0      # ... and its mass; a molecule has 1
MOLECULES_PHI = 999 * math.pi * 0.0025**2   # that of the small discs of `brownian`, whatever their number
MEDIUM_PHI = 100_000 * math.pi * 0.0005**2  # the same for a denser one
BINARY_RATIO = 100.0    # of the radii
POWERLAW_RATIO = 100.0  # of the largest radius to the smallest
MIXTURE_PHI = 0.4
SPHERES_PHI = 0.2       # of mixtures of spheres
LOGNORMAL_WIDTH = 0.08  # standard deviation of the logarithm of the radius
GALPERIN_MASS = 100.0**6    # 3 141 592 contacts, then never again

CLEARANCE = 1.001       # of the lattice spacing: nothing touches at the start
PROPORTIONS_MAX = 1000  # discs that tell the free path
LAWFUL_PHI = 0.4
GRAINS = 0.999          # what contacts keep of the speed in `grains`, whose gas stays a gas for long
PEGS = (4, 3)           # columns and rows of circles in the box ...
PEG = 0.01              # ... their radius and their speed, in lengths and thermal speeds of the box
HEIGHT = 4              # of the atmosphere of `falling`, k_B T / (m g), in box heights
CROWD_PHI = 0.4
CROWD_BOX = 10          # times as wide and as high as the corner that the gas fills
SITES_PER_DISC = 8      # of a lattice to choose from, where there is room for so many


class Scene(NamedTuple):
    """What to measure: a family with its parameters, or a data set by its name."""

    family: str
    n: int = 0              # discs; 0 where the family says how many
    phi: float = 0.0        # packing fraction of a gas
    walls: bool = False     # of a gas

    def __str__(self) -> str:
        words = [self.family]
        if self.n:
            words.append(f"{self.n}")
        if self.family in GASES:
            words += [f"{self.phi:g}", "walls" if self.walls else "periodic"]
        return " ".join(words)

    @property
    def ends(self) -> bool:
        """Whether a time comes after which no disc touches anything: it is then begun again, and never equilibrated."""
        return self.family == "galperin"


def choose(families: Iterable[str], sizes: Iterable[int], fractions: Iterable[float], walls: bool = False) -> list[Scene]:
    """The scenes of these families and data sets, at all sizes and packing fractions; ValueError for an unknown name."""
    scenes = []
    for family in families:
        if family in GASES:
            scenes += [Scene(family, n, phi, walls) for n in sizes for phi in fractions]
        elif family in (*MIXTURES, *SPHERE_MIXTURES, *CROWDS, *LAWFUL):
            scenes += [Scene(family, n) for n in sizes]
        elif family == "galperin" or family in datasets.names():
            scenes.append(Scene(family))
        else:
            raise ValueError(f"no scene is called {family!r}: there are {', '.join(FAMILIES)}, and the data sets "
                             f"that `python -m hdsim list` shows")
    return scenes


def yardstick(scene: Scene) -> Scene | None:
    """What a mixture is compared with: the same without the big disc, or as many equal discs as thin that one of them flies
    as far between two contacts, and so comes near as many others. For `crowd`: the same gas in a box that it fills. For
    mixtures of spheres: as many equal ones that fill as much. For a gas with a law or obstacles: the gas without. None for other
    scenes."""
    if scene.family in LAWFUL:
        return Scene("gas", scene.n, LAWFUL_PHI, scene.family == "falling")
    if scene.family in SPHERE_MIXTURES:
        return Scene("spheres", scene.n, SPHERES_PHI, scene.family in SPHERE_RATIOS)
    if scene.family == "crowd":
        return Scene("gas", scene.n, CROWD_PHI, True)
    if scene.family in WITHOUT:
        return Scene(WITHOUT[scene.family], scene.n)
    if scene.family not in BINARIES and scene.family != "powerlaw":
        return None
    far = free_path(proportions(scene.family, min(scene.n, PROPORTIONS_MAX)), MIXTURE_PHI)
    low, high = 0.0, MIXTURE_PHI
    while high - low > 1e-4:
        phi = (low + high) / 2
        low, high = (phi, high) if free_path(np.ones(1), phi) > far else (low, phi)
    return Scene("gas", scene.n, float(f"{high:.2g}"), True)


def free_path(sizes: np.ndarray, phi: float) -> float:
    """How far discs of one material with these proportions fly between two contacts, in sqrt(area per disc): the mean over
    all flights. Enskog, with the contact values of Jenkins and Mancini, J. Appl. Mech. 54, 27 (1987)."""
    sizes, counts = np.unique(sizes, return_counts=True)
    share = counts / counts.sum()
    radii = sizes * math.sqrt(phi / (math.pi * (share * np.square(sizes)).sum()))
    reach = radii[:, None] + radii
    contact_value = (1 / (1 - phi) + 9 / 8 * np.outer(radii, radii) / reach
                     * math.pi * (share * radii).sum() / (1 - phi) ** 2)
    relative_speed = np.hypot(1 / radii[:, None], 1 / radii)    # over that of a disc, 1 / radius
    rates = (2 * reach * contact_value * relative_speed * share).sum(axis=1)
    return float((share / radii).sum() / (share * rates).sum())


def arrays(scene: Scene) -> dict[str, Any]:
    """The arguments of `CollisionSystem.from_arrays`."""
    if scene.family in BINARIES or scene.family == "powerlaw":
        return of_one_material(proportions(scene.family, scene.n))
    if scene.family in SPHERE_RATIOS:
        return of_one_material(sphere_sizes(scene.family, scene.n), 3)
    makers = {"gas": lambda: gas(scene.n, scene.phi, scene.walls), "crowd": lambda: crowd(scene.n, CROWD_PHI),
              "spheres": lambda: spheres(scene.n, scene.phi, scene.walls), "bystander": lambda: bystander(scene.n, CROWD_PHI),
              "grain": lambda: grain(scene.n, MOLECULES_PHI),
              "molecules": lambda: molecules(scene.n, MOLECULES_PHI), "pollen": lambda: grain(scene.n, MEDIUM_PHI),
              "medium": lambda: molecules(scene.n, MEDIUM_PHI), "galperin": galperin,
              "lognormal": lambda: lognormal(scene.n),
              "grains": lambda: gas(scene.n, LAWFUL_PHI) | {"restitution": GRAINS, "contact_time": 1e-6},
              "pegs": lambda: among_pegs(scene.n), "shaken": lambda: among_pegs(scene.n, shaken),
              "roaming": lambda: among_pegs(scene.n, roaming), "falling": lambda: falling(scene.n)}
    return makers[scene.family]() if scene.family in makers else data_set(scene.family)


def build(start: dict[str, Any], **options: Any) -> hdsim.CollisionSystem:
    """The system that starts so."""
    return hdsim.CollisionSystem.from_arrays(**start, **options)


# The families

def gas(n: int, phi: float, walls: bool = False) -> dict[str, Any]:
    """n equal discs on a square lattice of spacing 1, in a box of whole rows and columns; total momentum 0."""
    columns, rows = lattice_sides(n)
    radius = math.sqrt(phi * columns * rows / (math.pi * n))
    if not 0 < radius <= 0.5 / CLEARANCE:
        raise ValueError(f"{n} discs on a lattice of {columns} x {rows} do not fill {phi:g} of the box: their radius "
                         f"would be {radius:.3g} of the spacing")
    sites = np.arange(n) * (columns * rows) // n    # the holes, if any, far from each other
    rng = np.random.default_rng(SEED)
    velocities = rng.standard_normal((n, 2))
    velocities -= velocities.mean(axis=0)
    return {"positions": np.column_stack((sites % columns, sites // columns)) + 0.5, "velocities": velocities,
            "radii": np.full(n, radius), "masses": np.ones(n), "box": hdsim.Box(columns, rows, (not walls, not walls))}


def among_pegs(n: int, motion: Callable[[float], dict[str, Any]] = lambda length: {}) -> dict[str, Any]:
    """The scene `gas` of at most n discs, without those in whose place one of twelve pegs stands. motion: the keywords of a peg
    in a box of this length."""
    start = gas(n, LAWFUL_PHI)
    box, length = start["box"], min(start["box"].width, start["box"].height)
    pegs = [hdsim.Circle(((i + 0.5) * box.width / PEGS[0], (k + 0.5) * box.height / PEGS[1]), PEG * length, **motion(length))
            for i in range(PEGS[0]) for k in range(PEGS[1])]
    clear = np.ones(n, dtype=bool)
    for peg in pegs:
        clear &= np.hypot(*(start["positions"] - peg.center).T) > PEG * length + CLEARANCE * start["radii"][0]
    left = {name: value[clear] if isinstance(value, np.ndarray) else value for name, value in start.items()}
    return left | {"obstacles": pegs}


def shaken(length: float) -> dict[str, Any]:
    """To and fro by the diameter of a peg."""
    return {"motion": [(0, (PEG, 0)), (length, (-PEG, 0)), (3 * length, (PEG, 0))], "period": 4 * length}


def roaming(length: float) -> dict[str, Any]:
    """For ever in one direction, around the box."""
    return {"velocity": (PEG, 0.6 * PEG)}


def falling(n: int) -> dict[str, Any]:
    """The scene `gas` between walls, with a weight so small that it stays nearly uniform."""
    start = gas(n, LAWFUL_PHI, walls=True)
    return start | {"gravity": (0, -1 / (HEIGHT * start["box"].height))}


def spheres(n: int, phi: float, walls: bool = False) -> dict[str, Any]:
    """n equal spheres on sites of a face-centred cubic lattice of spacing 1, in a cube of whole cells; total momentum 0."""
    return on_lattice(np.ones(n), phi, walls, np.random.default_rng(SEED))


def on_lattice(sizes: np.ndarray, phi: float, walls: bool, rng: np.random.Generator) -> dict[str, Any]:
    """Spheres with these proportions, in this order of the sites; masses are as volumes, the smallest 1."""
    n = len(sizes)
    cells = next(side for side in range(1, n + 1) if 4 * side**3 >= n)
    radii = sizes * (3 * phi * cells**3 / (4 * math.pi * (sizes**3).sum())) ** (1 / 3)
    room = 0.25 if walls else 0.5 / math.sqrt(2)
    if not 0 < radii.max() <= room / CLEARANCE:
        raise ValueError(f"{n} spheres on {4 * cells**3} sites of a lattice do not fill {phi:g} of the box: the largest radius "
                         f"would be {radii.max():.3g} of its spacing")
    masses = (sizes / sizes.min()) ** 3
    sites = np.arange(n) * (4 * cells**3) // n      # the holes, if any, far from each other
    corners = np.column_stack(np.unravel_index(sites // 4, (cells,) * 3))
    within = np.array([[0.25, 0.25, 0.25], [0.25, 0.75, 0.75], [0.75, 0.25, 0.75], [0.75, 0.75, 0.25]])[sites % 4]
    velocities = rng.standard_normal((n, 3)) / np.sqrt(masses)[:, None]
    velocities -= masses @ velocities / masses.sum()
    return {"positions": corners + within, "velocities": velocities, "radii": radii, "masses": masses,
            "box": hdsim.Box.of([cells] * 3, [not walls] * 3)}


def lognormal(n: int) -> dict[str, Any]:
    """n spheres of one material on sites of the lattice in any order, the logarithms of their radii normal."""
    rng = np.random.default_rng(SEED)
    quantiles = np.array([NormalDist().inv_cdf((k + 0.5) / n) for k in range(n)])
    return on_lattice(np.exp(LOGNORMAL_WIDTH * rng.permutation(quantiles)), SPHERES_PHI, False, rng)


def sphere_sizes(family: str, n: int) -> np.ndarray:
    """Relative radii of n spheres of two kinds that fill as much, the largest first."""
    ratio = SPHERE_RATIOS[family]
    large = max(1, round(n / (1 + ratio**3)))
    return np.append(np.full(large, ratio), np.ones(n - large))


def crowd(n: int, phi: float) -> dict[str, Any]:
    """The scene `gas` in a corner of a box with walls, behind a fence of fixed discs of its size."""
    start = gas(n, phi, True)
    columns, rows = start["box"].width, start["box"].height
    radius = start["radii"][0]
    # From the corner to the walls, where what is left is narrower than a disc.
    up, along = (np.arange(side + radius, radius, -2 * CLEARANCE * radius) for side in (rows, columns))
    fence = np.concatenate([np.column_stack((np.full(len(up), columns + radius), up)),
                            np.column_stack((along[1:], np.full(len(along) - 1, rows + radius)))])
    return {"positions": np.append(start["positions"], fence, axis=0),
            "velocities": np.append(start["velocities"], np.zeros_like(fence), axis=0),
            "radii": np.full(n + len(fence), radius), "masses": np.append(start["masses"], np.full(len(fence), np.inf)),
            "box": hdsim.Box(CROWD_BOX * columns, CROWD_BOX * rows)}


def bystander(n: int, phi: float) -> dict[str, Any]:
    """The scene `crowd`, and one big disc that moves in the rest of the box."""
    start = crowd(n, phi)
    box = start["box"]
    radius = GRAIN * min(box.width, box.height)
    big = {"positions": [[0.5 * box.width, 0.5 * box.height]], "velocities": [[radius, 0.6 * radius]], "radii": [radius],
           "masses": [GRAIN_MASS]}
    return {"box": box} | {name: np.append(start[name], value, axis=0) for name, value in big.items()}


def lattice_sides(n: int) -> tuple[int, int]:
    """Columns and rows with a place for each of n discs: exactly n places, if n has divisors that are not too different."""
    root = math.isqrt(n)
    exact = next((side for side in range(root, 0, -1) if n % side == 0), 1)
    if 2 * exact * exact >= n:
        return n // exact, exact
    columns = root + (root * root < n)
    return columns, -(-n // columns)


def molecules(n: int, phi: float) -> dict[str, Any]:
    """The small discs of `grain` without the big one: its yardstick."""
    return mixture(np.full(n, molecule_radius(n, phi)), np.ones(n))


def grain(n: int, phi: float) -> dict[str, Any]:
    """One disc of radius .1 among n small ones that fill so much of the unit box."""
    return mixture(np.append(GRAIN, np.full(n, molecule_radius(n, phi))), np.append(GRAIN_MASS, np.ones(n)))


def molecule_radius(n: int, phi: float) -> float:
    return math.sqrt(phi / (math.pi * n))


def proportions(family: str, n: int) -> np.ndarray:
    """Relative radii of n discs of one material, the largest first. Binaries: a large one for so many small ones (at least
    one), a hundred times their size. Else radii are distributed as r^-2 over two decades: each octave fills half as much
    as the next."""
    if family in BINARIES:
        large = max(1, n // (BINARIES[family] + 1))
        return np.append(np.full(large, BINARY_RATIO), np.ones(n - large))
    quantiles = (np.arange(n)[::-1] + 0.5) / n
    return 1.0 / (1.0 - (1.0 - 1.0 / POWERLAW_RATIO) * quantiles)


def of_one_material(sizes: np.ndarray, axes: int = 2) -> dict[str, Any]:
    """Discs with these proportions that fill MIXTURE_PHI, or spheres that fill SPHERES_PHI; masses are as areas or volumes,
    the smallest 1."""
    if axes == 2:
        radii = sizes * math.sqrt(MIXTURE_PHI / (math.pi * np.square(sizes).sum()))
    else:
        radii = sizes * (SPHERES_PHI / (4 / 3 * math.pi * (sizes**3).sum())) ** (1 / 3)
    return mixture(radii, (sizes / sizes.min()) ** axes, axes)


def galperin() -> dict[str, Any]:
    """A light disc at rest between the left wall and a heavy one that comes in: the number of contacts is digits of pi."""
    return {"positions": np.array([[1.0, 0.5], [2.0, 0.5]]), "velocities": np.array([[0.0, 0.0], [-1.0, 0.0]]),
            "radii": np.full(2, 1 / 16), "masses": np.array([1.0, GALPERIN_MASS]), "box": hdsim.Box(1000, 1)}


def data_set(name: str) -> dict[str, Any]:
    """One of the book's; not from its file, which a source tree that was never installed may not find."""
    c = datasets.generate(name)
    return {"positions": c.positions, "velocities": c.velocities, "radii": c.radii, "masses": c.masses,
            "box": hdsim.Box(c.width, c.height)}


# Mixtures in the unit box, with walls

def mixture(radii: np.ndarray, masses: np.ndarray, axes: int = 2) -> dict[str, Any]:
    """Discs or spheres, the largest first, at random places without overlap, at temperature 1."""
    rng = np.random.default_rng(SEED)
    velocities = rng.standard_normal((len(radii), axes)) / np.sqrt(masses)[:, None]
    box = hdsim.Box() if axes == 2 else hdsim.Box(1, 1, depth=1)    # by the names that version 0.1 knows
    return {"positions": settle(radii, rng, axes), "velocities": velocities, "radii": radii, "masses": masses, "box": box}


def settle(radii: np.ndarray, rng: np.random.Generator, axes: int) -> np.ndarray:
    """Centres for radii that do not grow: octave by octave, each on the free sites of a lattice of its own."""
    octaves = np.floor(np.log2(radii[0] / radii) + 1e-9)
    positions = np.empty((len(radii), axes))
    for octave in np.unique(octaves):
        members = np.flatnonzero(octaves == octave)
        largest = radii[members[0]]
        side = min(int(0.5 / (CLEARANCE * largest)), int((SITES_PER_DISC * len(members)) ** (1 / axes)) + 1)
        placed = members[0]
        free = np.flatnonzero(free_sites(side, largest, positions[:placed], radii[:placed]))
        if len(free) < len(members):
            raise ValueError(f"no room for {len(members)} discs of radius {largest:.3g}: {len(free)} free sites")
        sites = rng.choice(free, len(members), replace=False)
        positions[members] = (np.column_stack(np.unravel_index(sites, (side,) * axes)) + 0.5) / side
    return positions


def free_sites(side: int, radius: float, positions: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Which of `side` sites along each axis of the unit box keep a disc of this radius clear of those that are there."""
    free = np.ones((side,) * positions.shape[1], dtype=bool)
    centres = (np.arange(side) + 0.5) / side
    for centre, reach in zip(positions.tolist(), ((radii + radius) * CLEARANCE).tolist()):
        near = tuple(slice(max(int((x - reach) * side), 0), int((x + reach) * side) + 1) for x in centre)
        squares = np.ix_(*((centres[part] - x) ** 2 for part, x in zip(near, centre)))
        free[near] &= sum(squares) >= reach * reach
    return free.ravel()
