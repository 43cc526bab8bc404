"""`Surfaces`: what each side of the box and each obstacle does to the discs."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..model.box import WALLS
from .observer import Observer, Settings, _error

OBSTACLES_MOST = 1000       # sums of all of them are stored for each block


class Surfaces(Observer):
    """Contacts, impulse, work, dissipated energy and heat at each side of the box that is a wall, and at each obstacle.

    names: of these k surfaces, sides first: "left", ..., "obstacle 0", ... In d dimensions value is (k, d + 4), per time since
    the beginning: contacts, the d components of the force on the discs (mass length / time^2), the work done on them, the
    energy that contacts with a coefficient of restitution below 1 take, and the heat that the discs get from a surface with a
    temperature (all mass length^2 / time^3). The numbers themselves are `contacts`, `impulses`, `work`, `dissipated` and `heat`.
    Discs of infinite mass are left out. If there are none, the sum of the impulses is the change of the momentum of the discs
    but for that by gravity, and the sums of work and heat are those of `system.energy_balance()`; but the work of a piston on the
    discs is energy that it loses, and the balance has the work of its load instead. theory: None. ValueError among more than
    1000 obstacles.
    """

    kind = "surfaces"

    def __init__(self) -> None:
        super().__init__()

    def _settings(self, groups: int) -> Settings:
        obstacles = len(self._scene.obstacles)
        if obstacles > OBSTACLES_MOST:
            raise ValueError(f"there are {obstacles:,} obstacles; Surfaces can observe at most {OBSTACLES_MOST:,}")
        return super()._settings(groups)._replace(most=obstacles)

    def _surfaces(self, total: np.ndarray) -> np.ndarray:
        """The sums (..., k, d + 4) of the surfaces that are there, from those of the engine."""
        columns = self._scene.dimension + 4
        rows = total.reshape(*total.shape[:-1], total.shape[-1] // columns, columns)
        there = [not periodic for periodic in self._scene.periodic for _ in range(2)]
        kept: np.ndarray = rows[..., there + [True] * len(self._scene.obstacles), :]
        return kept

    @property
    def names(self) -> list[str]:
        """Of the k surfaces, in the order of all results."""
        sides = [name for k, name in enumerate(WALLS[:2 * self._scene.dimension]) if not self._scene.periodic[k // 2]]
        return sides + [f"obstacle {k}" for k in range(len(self._scene.obstacles))]

    @property
    def contacts(self) -> np.ndarray:
        """(k,) int64: the number of contacts with each surface."""
        return self._surfaces(self._read().total)[:, 0].astype(np.int64)

    @property
    def impulses(self) -> np.ndarray:
        """(k, d): the momentum that each surface has given to the discs, mass * length / time."""
        return self._surfaces(self._read().total)[:, 1:-3].copy()

    @property
    def work(self) -> np.ndarray:
        """(k,): the work that each surface has done on the discs, mass * length^2 / time^2; 0 if it is at rest."""
        return self._surfaces(self._read().total)[:, -3].copy()

    @property
    def dissipated(self) -> np.ndarray:
        """(k,): the energy that contacts with each surface have taken, mass * length^2 / time^2; 0 if they are elastic."""
        return self._surfaces(self._read().total)[:, -2].copy()

    @property
    def heat(self) -> np.ndarray:
        """(k,): the heat that the discs have got from each surface, mass * length^2 / time^2; 0 if it has no temperature."""
        return self._surfaces(self._read().total)[:, -1].copy()

    @property
    def value(self) -> np.ndarray:
        """(k, d + 4): contacts, force, work, dissipated energy and heat per time; nan before any time has passed."""
        reading = self._read()
        rates: np.ndarray = self._surfaces(reading.total) / (reading.elapsed or math.nan)
        return rates

    @property
    def error(self) -> np.ndarray:
        """(k, d + 4): standard errors of the value, by blocking; nan until there are enough data."""
        blocks = self._series()
        return np.array([[_error(blocks[:, k, column]) for column in range(blocks.shape[2])] for k in range(blocks.shape[1])]
                        ).reshape(blocks.shape[1:])

    def _series(self) -> np.ndarray:
        """(b, k, d + 4) the value in each block."""
        reading = self._read()
        rates: np.ndarray = self._surfaces(reading.blocks) / (reading.span or math.nan)
        return rates

    def rows(self) -> Iterable[Sequence[Any]]:
        forces = [f"force along {axis}" for axis in "xyz"[:self._scene.dimension]]
        columns = ["contacts per time", *forces, "work per time", "dissipated per time", "heat per time"]
        for name, values, errors in zip(self.names, self.value.tolist(), self.error.tolist()):
            for column, value, error in zip(columns, values, errors):
                yield f"{name}, {column}", value, error, None

    def _draw(self, ax: Any) -> None:
        names, value, error = self.names, self.value, self.error
        places = np.arange(len(names))
        for k, label in ((-3, "work"), (-2, "dissipated"), (-1, "heat")):
            ax.barh(places + .27 * (k + 2), value[:, k], .27, xerr=error[:, k], label=label)
        ax.set(yticks=places, xlabel="energy per time")
        ax.set_yticklabels(names)
        ax.invert_yaxis()
        ax.legend()
