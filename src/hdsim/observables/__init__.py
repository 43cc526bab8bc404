"""Measurements on discs and spheres as pure functions of arrays: error bars, structure, order, motion in time, histograms.

Knows no engine: positions are arrays, and a box is a `Box`, (width, height), or an object with `width`, `height` and `periodic`;
with a depth all but `voronoi`, `hexatic_order`, `local_density` and `fraction_inside` take positions (n, 3).
An argument `snapshots` is one array (n, d), or (frames, n, d), or any iterable of arrays (n, d), such as a generator that runs
the system between its values. It should run to given times, not to events, because at an event there is always a pair in contact.
Lengths are in the unit of the positions. An error is one standard deviation. Bad arguments raise ValueError.
"""
from __future__ import annotations

from ..model.box import Rectangle
from .errors import (BLOCKS_MIN, COUNT_MIN, FRAMES_MIN, Estimate, Merged, block_means, blocking_error, flux_error, merge,
                     store_error)
from .histograms import DensityMap, Histogram, fraction_inside, local_density, speed_histogram, velocity_histogram
from .motion import Lagged, mean_squared_displacement, root_mean_square_distance, velocity_autocorrelation
from .order import (Bonds, Cells, HexaticOrder, SteinhardtOrder, coordination_numbers, hexatic_order, near_bonds, nearest_bonds,
                    steinhardt_order, voronoi)
from .pairs import RadialDistribution, contact_value, distance_distribution, partial_radial_distributions, radial_distribution
from .structure import StructureFactor, density_modes, structure_factor

__all__ = [
    "Rectangle", "BLOCKS_MIN", "FRAMES_MIN", "COUNT_MIN", "Estimate", "Merged", "block_means", "blocking_error", "flux_error",
    "merge", "store_error",
    "RadialDistribution", "distance_distribution", "radial_distribution", "partial_radial_distributions", "contact_value",
    "Bonds", "Cells", "HexaticOrder", "near_bonds", "nearest_bonds", "voronoi", "coordination_numbers", "hexatic_order",
    "SteinhardtOrder", "steinhardt_order",
    "StructureFactor", "density_modes", "structure_factor", "Lagged", "mean_squared_displacement", "root_mean_square_distance",
    "velocity_autocorrelation", "Histogram", "DensityMap", "speed_histogram", "velocity_histogram", "local_density",
    "fraction_inside",
]


def __dir__() -> list[str]:
    return sorted(__all__)
