"""The sequence of rounds of `hdsim.play`: when a round begins, pauses and ends, the texts shown, and the best score.

Independent of windows and OpenGL: the window (`hdsim.viewer.windows.arena`) calls `tick` with the position of the mouse and the
elapsed time."""
from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..language import tr
from ..system.waiting import uninterrupted
from . import report
from .play import INTERVAL, RED_RADIUS, Game, Track
from .play_walls import level

COUNTDOWN = 2.0         # seconds between the arrival of the mouse at the red disc and the start of the round
LONGEST_FRAME = 0.1     # seconds; of a longer gap (a window dragged, a laptop closed) only this much is played
NEW_SEEDS = 10**6       # random seeds are below this, short enough to type


class Rounds:
    """Rounds of a game. A round begins, or continues after a pause, COUNTDOWN seconds after the mouse came to the red disc.

    new_game: makes the next round. best: the best score so far, in seconds. ended(game): called after each round; returns
    the best score.
    """

    def __init__(self, new_game: Callable[[], Game], best: float = 0.0,
                 ended: Callable[[Game], float] | None = None) -> None:
        self._new_game, self._ended = new_game, ended
        self.best = best
        self.restart()

    def restart(self) -> None:
        self.game = self._new_game()
        self.left = math.inf            # seconds until the round begins or continues; inf: the mouse is not at the red disc
        self.over = self.is_best = False

    @property
    def playing(self) -> bool:
        return self.left <= 0 and not self.over

    def tick(self, mouse: tuple[float, float] | None, dt: float) -> None:
        """Advance by `dt` seconds. mouse: its position in box lengths, or None outside the window, which pauses the round."""
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
        """The text shown over the box: a headline and the lines under it; empty during play."""
        if self.over:
            rest = self.status[1:2] if self.is_best else self.status[1:]
            return [self._score(), "      ".join(filter(None, rest)), self.again]
        if self.playing:
            return []
        if self.left < math.inf:
            return [f"{math.ceil(self.left)}"]
        return [tr("Pause"), self._go] if self.game.track else [tr("Keep clear of the blue discs"), *self.rules, self._go]

    @property
    def rules(self) -> list[str]:
        """The rules of the game, one sentence a line."""
        walls = [tr("Walls stop the red disc, and blue ones bounce off them.")] if self.game.walls else []
        return [tr("The red disc is where the mouse is. A touch ends the round."), *walls,
                tr("Every {seconds:g} s another blue disc comes; time is what counts.", seconds=INTERVAL)]

    @property
    def _go(self) -> str:
        return tr("Move the mouse to the red disc      Esc: quit")

    @property
    def again(self) -> str:
        """The line that says how to begin another round."""
        return tr("Click or Space: play again      Esc: quit")

    def _score(self) -> str:
        return tr("New best: {seconds:.2f} s" if self.is_best else "{seconds:.2f} s", seconds=self.game.score)

    @property
    def status(self) -> tuple[str, str, str]:
        """Elapsed time, number of blue discs and best score, as texts; "" if there is no best score."""
        blue = len(self.game.system) - 1
        return (tr("{seconds:.1f} s", seconds=self.game.score), tr("{n} blue disc(s)", n=blue),
                tr("best {seconds:.2f} s", seconds=self.best) if self.best else "")


class Replay(Rounds):
    """A recorded round, shown at the speed at which it was played; the position of the mouse is ignored."""

    def __init__(self, track: Track) -> None:
        self._frames = track.frames
        super().__init__(lambda: level(track.walls)(track.seed, track.discs))

    @property
    def again(self) -> str:
        return tr("Click or Space: watch again      Esc: quit")

    def restart(self) -> None:
        super().restart()
        self.left = 0.0
        self._due = 0.0         # time up to which frames are due, in seconds of the round
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
    """The longest round for each number of blue discs at the start, with and without walls, kept in a file in the user's data
    folder. A file that cannot be read counts as empty; if it cannot be written, a message says so and the scores last until the
    program ends."""

    def __init__(self) -> None:
        self._scores = _read_scores()

    def best(self, discs: int, walls: bool = False) -> float:
        """The best score with this number of blue discs at the start, in seconds; 0 if there is none."""
        return self._scores.get(_key(discs, walls), 0.0)

    def add(self, game: Game) -> float:
        """Take this round into account and return the best score, in seconds."""
        if game.score > self.best(game.discs, bool(game.walls)):
            self._scores[_key(game.discs, bool(game.walls))] = game.score
            try:
                path = _scores_path()
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(self._scores))
            except (OSError, RuntimeError) as error:
                report.say(tr("the best score cannot be saved: {error}", error=error))
        return self.best(game.discs, bool(game.walls))


def _key(discs: int, walls: bool) -> str:
    """The key of a level in the file of scores."""
    return f"{discs} walls" if walls else str(discs)


def _scores_path() -> Path:
    """The file of the best scores. RuntimeError if the home folder cannot be determined."""
    folder = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_DATA_HOME")
    return Path(folder or Path("~/.local/share").expanduser(), "hdsim", "play.json")


def _read_scores() -> dict[str, float]:
    try:
        scores = json.loads(_scores_path().read_text())
        return {discs: float(score) for discs, score in scores.items() if 0 < float(score) < math.inf}
    except (OSError, RuntimeError, ValueError, TypeError, AttributeError):
        return {}


def new_rounds(seed: int | None, discs: int, record: Any = None, walls: bool = False) -> Rounds:
    """The rounds of a game to be played. seed: of every round; None: a new random seed for each. record: a file that receives
    the track of the latest round that ended, or None. walls: whether there are walls in the box."""
    scores = BestScores()

    def new_game() -> Game:
        return level(walls)(random.SystemRandom().randrange(NEW_SEEDS) if seed is None else seed, discs)

    def ended(game: Game) -> float:
        best = scores.add(game)         # before the track: an OSError of the track ends the program
        if record is not None:
            with uninterrupted():
                Track.of(game).write(record)
        return best

    return Rounds(new_game, scores.best(discs, walls), ended)


def summary_rows(game: Game) -> list[report.Row]:
    """The rows of the table printed after a replay: seed, discs, time survived and hash."""
    survived = tr("{seconds:.6f} s" if game.hit is None else "{seconds:.6f} s, then touched disc {disc}",
                  seconds=game.score, disc=game.hit)
    return [(tr("seed"), f"{game.seed}"), (tr("blue discs"), tr("{first} to {last}", first=game.discs,
                                                                            last=len(game.system) - 1)),
            (tr("survived"), survived), (tr("hash"), game.system.hash())]
