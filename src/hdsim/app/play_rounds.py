"""Round after round of `hdsim.play`: when one begins, pauses and ends, what is said meanwhile, and the best score.

Knows neither windows nor OpenGL: the window (`hdsim.viewer.windows.arena`) calls `tick` with the mouse and the wall clock."""
from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..language import tr
from . import report
from .play import RED_RADIUS, Game, Track

COUNTDOWN = 2.0         # seconds from when the mouse is at the red disc
LONGEST_FRAME = 0.1     # seconds; a longer gap (a window dragged, a laptop closed) is not caught up with
NEW_SEEDS = 10**6       # seeds that can be typed


class Rounds:
    """Rounds of a game. Each begins, and goes on after a pause, COUNTDOWN seconds after the mouse came to the red disc.

    new_game: makes the next round. best: seconds. ended(game): called after each round; returns the best.
    """

    def __init__(self, new_game: Callable[[], Game], best: float = 0.0,
                 ended: Callable[[Game], float] | None = None) -> None:
        self._new_game, self._ended = new_game, ended
        self.best = best
        self.restart()

    def restart(self) -> None:
        self.game = self._new_game()
        self.left = math.inf            # seconds until it goes on; inf: the mouse is not at the red disc
        self.over = self.is_best = False

    @property
    def playing(self) -> bool:
        return self.left <= 0 and not self.over

    def tick(self, mouse: tuple[float, float] | None, dt: float) -> None:
        """`dt` seconds have passed. mouse: where it is, box lengths, or None if it has left: then the round pauses."""
        if self.over:
            return
        if self.playing and mouse is not None:
            if not self.game.frame(*mouse, min(dt, LONGEST_FRAME)):
                self._end()
        elif mouse is None or not self._at_red(mouse):
            self.left = math.inf
        else:
            self.left = COUNTDOWN if self.left == math.inf else self.left - dt

    def _at_red(self, mouse: tuple[float, float]) -> bool:
        return math.dist(mouse, self.game.system.positions[0]) <= RED_RADIUS

    def _end(self) -> None:
        self.over = True
        self.is_best = self.game.score > self.best
        self.best = self._ended(self.game) if self._ended else max(self.best, self.game.score)

    @property
    def words(self) -> list[str]:
        """What is to be said over the box: a headline, and lines under it."""
        if self.over:
            rest = self.status[1:2] if self.is_best else self.status[1:]
            return [self._score(), "      ".join(filter(None, rest)), self.again]
        if self.playing:
            return []
        if self.left < math.inf:
            return [f"{math.ceil(self.left)}"]
        return [tr("Pause" if self.game.track else "Keep clear of the blue discs"),
                tr("Move the mouse to the red disc      Esc: quit")]

    @property
    def again(self) -> str:
        """What to do after a round."""
        return tr("Click or Space: play again      Esc: quit")

    def _score(self) -> str:
        return tr("New best: {seconds:.2f} s" if self.is_best else "{seconds:.2f} s", seconds=self.game.score)

    @property
    def status(self) -> tuple[str, str, str]:
        """Time, discs and best score."""
        blue = len(self.game.system) - 1
        return (tr("{seconds:.1f} s", seconds=self.game.score), tr("{n} blue disc" if blue == 1 else "{n} blue discs", n=blue),
                tr("best {seconds:.2f} s", seconds=self.best) if self.best else "")


class Replay(Rounds):
    """A recorded round, as fast as it was played. The mouse has no part in it."""

    def __init__(self, track: Track) -> None:
        self._frames = track.frames
        super().__init__(lambda: Game(track.seed, track.discs))

    @property
    def again(self) -> str:
        return tr("Click or Space: watch again      Esc: quit")

    def restart(self) -> None:
        super().restart()
        self.left = 0.0
        self._due = 0.0         # seconds of wall clock
        self._rest = iter(self._frames)

    def tick(self, mouse: tuple[float, float] | None, dt: float) -> None:
        self._due += min(dt, LONGEST_FRAME)
        while not self.over and self.game.score < self._due:
            frame = next(self._rest, None)
            if frame is None:
                self.over = True
            else:
                dt, x, y = frame
                self.over = not self.game.frame(x, y, dt)


class BestScores:
    """The longest round for each number of blue discs at the start, in a small file of the user's. What cannot be read
    counts as none; what cannot be written is said, and known until the program ends."""

    def __init__(self) -> None:
        self._scores = _read_scores()

    def best(self, discs: int) -> float:
        """Seconds; 0 if there is none."""
        return self._scores.get(str(discs), 0.0)

    def add(self, game: Game) -> float:
        """The best score with this round."""
        if game.score > self.best(game.discs):
            self._scores[str(game.discs)] = game.score
            try:
                path = _scores_path()
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(self._scores))
            except (OSError, RuntimeError) as error:
                report.say(tr("the best score cannot be kept: {error}", error=error))
        return self.best(game.discs)


def _scores_path() -> Path:
    """RuntimeError for a user without a home."""
    folder = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_DATA_HOME")
    return Path(folder or Path("~/.local/share").expanduser(), "hdsim", "play.json")


def _read_scores() -> dict[str, float]:
    try:
        scores = json.loads(_scores_path().read_text())
        return {discs: float(score) for discs, score in scores.items() if 0 < float(score) < math.inf}
    except (OSError, RuntimeError, ValueError, TypeError, AttributeError):
        return {}


def new_rounds(seed: int | None, discs: int, record: Any = None) -> Rounds:
    """Rounds to be played: with this seed, or another one each. record: a file for the track of the last that ended."""
    scores = BestScores()

    def new_game() -> Game:
        return Game(random.SystemRandom().randrange(NEW_SEEDS) if seed is None else seed, discs)

    def ended(game: Game) -> float:
        best = scores.add(game)         # first: a track that cannot be written ends the program
        if record is not None:
            Track.of(game).write(record)
        return best

    return Rounds(new_game, scores.best(discs), ended)


def summary_rows(game: Game) -> list[report.Row]:
    """What there is to say of a round."""
    survived = tr("{seconds:.6f} s" if game.hit is None else "{seconds:.6f} s, then touched disc {disc}",
                  seconds=game.score, disc=game.hit)
    return [(tr("seed"), f"{game.seed}"), (tr("blue discs"), tr("{first} to {last}", first=game.discs,
                                                                            last=len(game.system) - 1)),
            (tr("survived"), survived), (tr("hash"), game.system.hash())]
