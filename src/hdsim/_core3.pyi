"""Types of the engine of spheres: those of the engine of discs, whose stub they stand in, without obstacles."""
from collections.abc import Sequence

from ._core import (AXES as AXES, BLOCKS_MAX as BLOCKS_MAX, EXACT_IN_EIGHTS as EXACT_IN_EIGHTS,
                    EXACT_IN_VECTORS as EXACT_IN_VECTORS, FOREVER as FOREVER, KINDS as KINDS, OBSERVERS as OBSERVERS,
                    WALLS as WALLS, Access as Access,
                    Observed as Observed, Populated as Populated, RandomSequentialAddition as RandomSequentialAddition,
                    Running as Running, Shown as Shown, Timed as Timed, Turn as Turn,
                    build_info as build_info, cells_per_side as cells_per_side,
                    choose_cells as choose_cells, count_overlaps as count_overlaps, least_cell_side as least_cell_side)

class Engine(Shown): ...

def time_until_contact(d: Sequence[float], dv: Sequence[float], contact: float) -> float: ...
def time_until_wall(x: float, v: float, near: float, far: float) -> float: ...
def velocities_after(d: Sequence[float], v_1: Sequence[float], mass_1: float, v_2: Sequence[float], mass_2: float
                     ) -> tuple[tuple[float, ...], tuple[float, ...], float]: ...
