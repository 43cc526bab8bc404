"""The level with walls: the red disc never touches them, goes where a player expects, and rounds come again bit for bit."""
import json
import math
import random

import numpy as np
import pytest
from test_play import home, mouse      # noqa: F401  a fixture, and a mouse that jumps

from hdsim.app import cli, play_walls
from hdsim.app.play import EDGE, RED_RADIUS, Game, Track
from hdsim.app.play_rounds import BestScores, Replay, new_rounds
from hdsim.app.play_walls import HELD, WALLS, WalledGame, apart, level
from hdsim.model.obstacles import gap

DT = 1 / 60


def nearest(game):
    """The least gap between the red disc and a wall."""
    x, y = game.system.positions[0].tolist()
    return min(float(gap(wall, x, y, RED_RADIUS)) for wall in WALLS)


def walks(seed, n=200):
    """A mouse that moves by steps of up to a tenth of the box in any direction."""
    rng, x, y = random.Random(seed), .5, .5
    for _ in range(n):
        x, y = (min(max(at + rng.uniform(-.1, .1), -.05), 1.05) for at in (x, y))
        yield x, y, DT


@pytest.mark.sample(4)
@pytest.mark.parametrize("frames", [lambda seed: mouse(seed, 120), walks])
@pytest.mark.parametrize("seed", range(5))
def test_the_red_disc_never_touches_a_wall(frames, seed):
    """However the mouse jumps: nothing but blue discs is ever in contact with it, and it is outside of all walls."""
    game = WalledGame(seed, discs=0)
    game.system.on_timer(lambda event: None, every=10)
    while len(game.system) > 1:
        game.system.remove(1)
    touched = []
    game.system.on_collision(lambda event: touched.append(event) if 0 in event.particles else None, kind="wall")
    reached = 0
    for x, y, dt in frames(seed):
        game.hit = None         # blue discs do not end it here
        game.frame(x, y, dt)
        assert nearest(game) > 0
        reached += math.dist(game.system.positions[0], (x, y)) < 1e-9
    assert touched == [] and reached > 10


def test_it_slides_along_a_wall_and_around_its_end():
    """Against the middle of a wall it goes along it; at its end past it; where the way is free, straight."""
    game = WalledGame(1, discs=0)
    left = WALLS[0]         # from (.25, .25) to (.25, .55)
    assert left.start == (.25, .25) and left.end == (.25, .55)
    game.frame(.4, .4, DT)
    game.frame(.1, .4, DT)
    assert game.system.positions[0].tolist() == pytest.approx([.25 + EDGE, .4], abs=1e-12)
    game.frame(.1, .5, DT)
    assert game.system.positions[0].tolist() == pytest.approx([.25 + EDGE, .5], abs=1e-12)
    for _ in range(3):
        game.frame(.1, .7, DT)
    assert game.system.positions[0].tolist() == pytest.approx([.1, .7], abs=1e-12)


def test_ways_end_before_walls_as_dense_samples_of_the_way_see_it():
    """A free straight way has no place within HELD of a wall along both axes; a blocked one has."""
    rng = np.random.default_rng(3)
    game, free = WalledGame(0, 0), 0
    share = np.linspace(0, 1, 2001)[:, None]
    for start, end in rng.uniform(EDGE, 1 - EDGE, (400, 2, 2)):
        if any(square_gap(*start, wall) <= 0 for wall in WALLS):
            continue
        inside = [(square_gap(*(start + share * (end - start)).T, wall) < -1e-3).any() for wall in WALLS]
        near = [(square_gap(*(start + share * (end - start)).T, wall) < 1e-3).any() for wall in WALLS]
        x, y = game.way(*start.tolist(), *end.tolist())
        if any(inside):
            assert (x, y) != tuple(end) and (x == start[0] or y == start[1])
            assert all(square_gap(x, y, wall) >= 0 for wall in WALLS)
        elif not any(near):
            assert (x, y) == tuple(end)
            free += 1
    assert free > 50


def square_gap(x, y, wall):
    """How far a centre is outside the rectangle around a wall that it must not enter."""
    (left, low), (right, high) = wall.start, wall.end
    return np.maximum(np.maximum(left - HELD - x, x - right - HELD), np.maximum(low - HELD - y, y - high - HELD))


def test_blue_discs_come_beside_walls():
    """And bounce off them: with many discs some contacts are with obstacles, and none overlaps one."""
    game = WalledGame(2, discs=60)
    hits = []
    game.system.on_collision(lambda event: hits.append(event.obstacle), kind="wall")
    for x, y in game.system.positions.tolist():
        assert min(float(gap(wall, x, y, 0)) for wall in WALLS) > play_walls.BLUE_RADIUS
    game.system.simulate(until=1.0)
    assert {0, 1, 2, 3} <= set(hits)
    assert apart(.25, .7, WALLS[0]) == pytest.approx(.15**2) and apart(.3, .3, WALLS[0]) == pytest.approx(.05**2)


def test_a_recorded_round_among_walls_comes_again(tmp_path):
    game = level(True)(7, 3)
    for x, y, dt in walks(7, 300):
        if not game.frame(x, y, dt):
            break
    Track.of(game).write(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().startswith("# hdsim play: seed 7, discs 3, walls\n")
    track = Track.read(tmp_path / "a.csv")
    again = track.replay(level(track.walls))
    assert track == Track.of(game) and isinstance(again, WalledGame)
    assert (again.score, again.hit, again.system.hash()) == (game.score, game.hit, game.system.hash())
    replay = Replay(track)
    while not replay.over:
        replay.tick(None, DT)
    assert replay.game.system.hash() == game.system.hash()
    assert level(False) is Game


def test_each_level_has_its_best_score(home):      # noqa: F811
    for walls, score in ((False, 2.0), (True, 1.5)):
        game = level(walls)(discs=0)
        game.system.simulate(until=score)
        assert BestScores().add(game) == score
    assert BestScores().best(0) == 2 and BestScores().best(0, walls=True) == 1.5
    assert json.loads((home / "hdsim" / "play.json").read_text()) == {"0": 2.0, "0 walls": 1.5}
    rounds = new_rounds(3, 0, walls=True)
    assert rounds.best == 1.5 and isinstance(rounds.game, WalledGame) and rounds.game.system.obstacles == WALLS


def test_walls_are_for_new_rounds(tmp_path, capsys):
    assert cli.main(["play", "--replay", "a.csv", "--walls"]) == 2
    assert "--walls is for new rounds" in capsys.readouterr().err
