"""Exercise 1 of the book as a game, without its window: a red disc follows the mouse, a blue disc is added every INTERVAL, and
the first contact of red and blue ends the round. It uses public names of hdsim only; docs/play.md explains it."""
from __future__ import annotations

import math
import operator
import random
import re
from typing import Any, NamedTuple

import hdsim

RED, BLUE = (214, 39, 40), (58, 110, 196)
RED_RADIUS, BLUE_RADIUS = 0.03, 0.025   # box lengths
SPEED, GROWTH = 0.25, 0.04              # speed of the first blue disc, box lengths per second; relative increase for each more
INTERVAL = 2.0                          # seconds between two new blue discs
CLEAR = 0.3                             # least distance of a new blue disc from the red one, so that the player can react
DISCS = 5                               # blue discs at the start
TRIES = 300                             # random places that are tried for a new blue disc
EDGE = RED_RADIUS + 1e-9                # least distance of the red disc's centre from a wall, off which it would bounce

HEADER = re.compile(r"# hdsim play: seed (-?\d+), discs (\d+)(, walls)?")
COLUMNS = "dt,x,y"


class Game:
    """One round in the unit box: disc 0 is red, `discs` blue discs are there at the start, others are added later.

    Units are box lengths and seconds. The same seed and the same frames give the same round, bit for bit, on any machine.
    ValueError if there is no room for `discs` blue discs.
    """

    walls: tuple[hdsim.Segment, ...] = ()       # inside the box; the game of `play_walls` has some

    def __init__(self, seed: int = 0, discs: int = DISCS) -> None:
        try:
            self.seed, self.discs = operator.index(seed), operator.index(discs)
        except TypeError:
            raise TypeError(f"seed is {seed!r} and discs is {discs!r}; they must be whole numbers") from None
        self.track: list[tuple[float, float, float]] = []       # the frames so far: dt, x, y
        self.hit: int | None = None                             # index of the blue disc that was touched; None during the round
        self._random = random.Random(self.seed).random          # the same numbers in every version of Python
        if self.discs < 0:
            raise ValueError(f"discs is {discs}; it must be >= 0")
        red = hdsim.Particle(0.5, 0.5, 0, 0, RED_RADIUS, math.inf, RED)
        self.system = hdsim.CollisionSystem([red], obstacles=self.walls)
        self.system.on_collision(self._contact, kind="pair")
        self.system.on_timer(self._arrival, every=INTERVAL)
        for k in range(self.discs):
            if not self._add_blue():
                raise ValueError(f"discs is {discs}; there is room for {k}")

    def frame(self, x: float, y: float, dt: float) -> bool:
        """Move the red disc to (x, y), or as near as the walls allow, within `dt` seconds; returns False if the round is over.

        ValueError unless all three are finite and dt > 0.
        """
        if self.hit is not None:
            return False
        x, y, dt = float(x), float(y), float(dt)
        if not (0 < dt < math.inf and math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"the mouse is at ({x!r}, {y!r}) after dt = {dt!r}; all must be finite, and dt > 0")
        from_x, from_y = self.system.positions[0].tolist()
        to_x, to_y = self.way(from_x, from_y, _inside(x), _inside(y))
        with self.system.edit() as draft:
            draft.velocities[0] = (to_x - from_x) / dt, (to_y - from_y) / dt
        self.track.append((dt, x, y))
        self.system.step(dt)
        return self.hit is None

    def way(self, x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
        """Where the red disc gets within a frame, from (x, y) on its way to (to_x, to_y): there, because nothing is between."""
        return to_x, to_y

    def is_free(self, x: float, y: float) -> bool:
        """Whether a new blue disc fits at (x, y), other discs aside."""
        return True

    @property
    def score(self) -> float:
        """Seconds from the start to the contact, or to the latest frame of a round that is not over."""
        return self.system.time

    def _contact(self, event: hdsim.Event) -> str | None:
        if event.particles[0] != 0:
            return None
        self.hit = next(contact.j for contact in event.contacts if contact.i == 0)
        return hdsim.STOP

    def _arrival(self, event: hdsim.Event) -> None:
        self._add_blue()

    def _add_blue(self) -> bool:
        """Add a blue disc at a random free place at least CLEAR from the red one; False if TRIES places were not."""
        positions, distance = self.system.positions, self.system.radii + BLUE_RADIUS
        distance[0] = CLEAR
        for _ in range(TRIES):
            x, y = (BLUE_RADIUS + (1 - 2 * BLUE_RADIUS) * self._random() for _ in "xy")
            if self.is_free(x, y) and (((positions - (x, y)) ** 2).sum(axis=1) > distance**2).all():
                vx, vy = self._velocity(SPEED * (1 + GROWTH * (len(self.system) - 1)))
                self.system.add(hdsim.Particle(x, y, vx, vy, BLUE_RADIUS, 1.0, BLUE))
                return True
        return False

    def _velocity(self, speed: float) -> tuple[float, float]:
        """A velocity of this speed in a random direction: that of a random point of the unit disc, found by rejection from a
        square. Sine and cosine are not used, because their last bits differ between machines."""
        while True:
            x, y = (2 * self._random() - 1 for _ in "xy")
            if 0 < x * x + y * y <= 1:
                scale = speed / math.sqrt(x * x + y * y)
                return scale * x, scale * y


def _inside(x: float) -> float:
    return min(max(x, EDGE), 1 - EDGE)


class Track(NamedTuple):
    """All that determines a round: the seed, the number of blue discs at the start, the frames, and whether there are walls."""

    seed: int
    discs: int
    frames: list[tuple[float, float, float]]        # dt, x, y
    walls: bool = False

    @classmethod
    def of(cls, game: Game) -> Track:
        return cls(game.seed, game.discs, game.track, bool(game.walls))

    @classmethod
    def read(cls, path: Any) -> Track:
        """Read a track from a text file. FileFormatError names the file and the first line that is wrong; OSError."""
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        if not lines:
            raise hdsim.FileFormatError(f"{path}: empty")
        head = HEADER.fullmatch(lines[0])
        if head is None:
            raise hdsim.FileFormatError(f'{path}:1: expected "# hdsim play: seed S, discs N", found {lines[0][:40]!r}')
        if lines[1:2] != [COLUMNS]:
            raise hdsim.FileFormatError(f'{path}:2: expected "{COLUMNS}", found {lines[1][:40]!r}' if lines[1:] else
                                        f'{path}:2: expected "{COLUMNS}", found nothing')
        frames = [_frame(f"{path}:{k}", line) for k, line in enumerate(lines[2:], 3)]
        return cls(int(head[1]), int(head[2]), frames, head[3] is not None)

    def write(self, path: Any) -> None:
        """Write the track as a file that `read` reads. OSError; ValueError for a path that does not end in .csv."""
        if not str(path).endswith(".csv"):
            raise ValueError(f"{path}: expected a file that ends in .csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"# hdsim play: seed {self.seed}, discs {self.discs}{', walls' if self.walls else ''}\n{COLUMNS}\n")
            file.writelines(f"{dt!r},{x!r},{y!r}\n" for dt, x, y in self.frames)

    def replay(self, level: type[Game] = Game) -> Game:
        """A new game with the same seed, discs and frames. level: the game of this track, another one if there are walls."""
        game = level(self.seed, self.discs)
        for dt, x, y in self.frames:
            game.frame(x, y, dt)
        return game


def _frame(place: str, line: str) -> tuple[float, float, float]:
    try:
        dt, x, y = map(float, line.split(","))
    except ValueError:
        dt = x = y = math.nan
    if not (0 < dt < math.inf and math.isfinite(x) and math.isfinite(y)):
        raise hdsim.FileFormatError(f"{place}: expected {COLUMNS}, finite numbers and dt > 0, found {line[:40]!r}")
    return dt, x, y
