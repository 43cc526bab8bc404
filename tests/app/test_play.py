"""Exercise 1 as a game: the red disc goes exactly where the mouse goes, nothing tunnels, a recorded round comes again
bit for bit; rounds, scores, the window and the tutorial (docs/play.md)."""
import ast
import doctest
import inspect
import json
import math
import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hdsim
from hdsim import play
from hdsim.app import cli, play_rounds
from hdsim.app.play import EDGE, INTERVAL, RED_RADIUS, Game, Track
from hdsim.app.play_rounds import COUNTDOWN, BestScores, Replay, Rounds, new_rounds
from hdsim.app.play_walls import level

DT = 1 / 64
REACH = RED_RADIUS + play.BLUE_RADIUS


def mouse(seed, n=200, dt=1 / 60):
    """n frames of a mouse that jumps anywhere, also out of the box."""
    rng = np.random.default_rng(seed)
    return [(*rng.uniform(-0.2, 1.2, 2).tolist(), float(dt * rng.uniform(0.5, 1.5))) for _ in range(n)]


def rest(game, x=0.5, y=0.5, dt=1 / 60):
    """The mouse stays at one place until the round is over."""
    while game.frame(x, y, dt):
        pass
    return game


# the red disc

def test_the_red_disc_is_where_the_mouse_is():
    """After each frame, to rounding, and at the walls as near as it can be; the walls never throw it back."""
    game = Game(discs=0)
    for x, y, dt in mouse(1, 80):
        assert game.frame(x, y, dt)
        np.testing.assert_allclose(game.system.positions[0], np.clip((x, y), EDGE, 1 - EDGE), rtol=0, atol=1e-15)
    assert game.score == pytest.approx(sum(dt for dt, _, _ in game.track), rel=1e-14)
    assert game.system.statistics["wall_contacts"] == 0


@pytest.mark.parametrize("blue, velocity, time", [
    ((0.7, 0.5), (0, 0), (0.2 - REACH) / 25.6),
    ((0.7, 0.533), (0, 0), (0.2 - 0.044) / 25.6),           # 33, 44, 55
    ((0.7, 0.5), (-0.6, 0), (0.2 - REACH) / 26.2),
    ((0.5, 0.6), (0, -25.6), None),                         # passes behind
])
def test_nothing_tunnels(blue, velocity, time):
    """The mouse jumps over a blue disc between two frames, from .5 to .9: the round ends when and where they touch."""
    game = Game(discs=0)
    game.system.add(hdsim.Particle(*blue, *velocity, play.BLUE_RADIUS, 1.0))
    assert game.frame(0.9, 0.5, DT) is (time is None)
    if time is None:
        assert game.hit is None and game.score == DT
        return
    assert game.score == pytest.approx(time, rel=1e-13) and game.hit == 1
    assert math.dist(*game.system.positions) == pytest.approx(REACH, rel=1e-14)


@pytest.mark.parametrize("seed", range(6))
def test_the_first_contact_ends_the_round_and_no_later_one(seed):
    """Against a simulation without the red disc, looked at 300 times each frame: no disc of it comes to the red disc's
    path before the end, and one does at the end."""
    game = Game(seed, discs=20)
    blue = game.system.copy()
    blue.remove(0)
    at, looks = np.array([0.5, 0.5]), np.arange(1, 301) / 300
    for x, y, dt in mouse(seed):
        target, now = np.clip((x, y), EDGE, 1 - EDGE), blue.time
        going_on = game.frame(x, y, dt)
        for time in now + looks * dt:
            blue.simulate(until=time)
            red = at + (target - at) * ((time - now) / dt)
            near = np.linalg.norm(blue.positions - red, axis=1) < REACH
            if near.any():
                break
        assert going_on is not near.any()
        if not going_on:
            assert near[game.hit - 1] and time - dt / 300 <= game.score <= time
            break
        at = target
    assert game.score < INTERVAL        # no disc arrived, which the other system would not know


def test_after_the_end_nothing_moves():
    game = rest(Game(3))
    before = game.score, len(game.track), game.system.hash()
    assert not game.frame(0.1, 0.1, 1.0)
    assert (game.score, len(game.track), game.system.hash()) == before


# the blue discs

@pytest.mark.parametrize("dt", [1 / 60, 0.3])
def test_blue_discs_come_at_intervals_where_there_is_room(dt):
    """One every INTERVAL seconds, also within a long frame; each CLEAR of the red disc, each faster."""
    longest = 0
    for seed in range(2):
        game = Game(seed, discs=0)
        red = (0.5, 0.5)
        while game.frame(*red, dt):
            n = len(game.system)
            assert n - 1 in {math.floor(game.score / INTERVAL - 1e-12), math.floor(game.score / INTERVAL + 1e-12)}
            if n > 1 and game.system.collision_counts[-1] == 0:
                since = game.score - (n - 1) * INTERVAL
                start = game.system.positions[-1] - game.system.velocities[-1] * since
                assert math.dist(start, red) > play.CLEAR - 1e-12
                assert np.hypot(*game.system.velocities[-1]) == pytest.approx(play.SPEED * (1 + play.GROWTH * (n - 2)), rel=1e-14)
        longest = max(longest, len(game.system))
    assert longest > 4


@pytest.mark.parametrize("discs", [0, 5, 100])
def test_a_round_begins_without_overlap(discs):
    system = Game(1, discs).system
    assert len(system) == discs + 1
    distances = np.linalg.norm(system.positions[:, None] - system.positions, axis=2) + np.eye(discs + 1)
    assert (distances > np.add.outer(system.radii, system.radii)).all()
    assert (distances[0, 1:] > play.CLEAR).all()


def test_the_red_disc_does_not_move_the_others():
    """Two rounds of one seed and different mice have the same blue discs, to rounding, until the first arrival."""
    first, second = Game(5, 3), Game(5, 3)
    for k in range(30):
        assert first.frame(0.5, 0.5, DT) and second.frame(0.5 + k / 2000, 0.5, DT)
    np.testing.assert_allclose(first.system.positions[1:], second.system.positions[1:], rtol=0, atol=1e-13)


@pytest.mark.parametrize("discs, line", [(1000, r"discs is 1000; there is room for 1\d\d"), (-1, "it must be >= 0")])
def test_a_number_of_discs_that_is_none(discs, line):
    with pytest.raises(ValueError, match=line):
        Game(0, discs)


@pytest.mark.parametrize("frame", [(0.5, 0.5, 0.0), (0.5, 0.5, -1), (0.5, 0.5, math.inf), (math.nan, 0.5, DT),
                                   (0.5, math.inf, DT)])
def test_a_mouse_that_is_nowhere(frame):
    game = Game()
    with pytest.raises(ValueError, match="all must be finite, and dt > 0"):
        game.frame(*frame)
    assert game.track == [] and game.score == 0


# tracks

def test_a_recorded_round_comes_again(tmp_path):
    """Through a file, to the last bit: score, hash, discs hit, positions."""
    game = rest(Game(8), 0.4, 0.6)
    assert len(game.system) > game.discs + 1, "this round is to have arrivals"
    Track.of(game).write(tmp_path / "track.csv")
    again = Track.read(tmp_path / "track.csv").replay()
    assert (again.score, again.hit, again.system.hash()) == (game.score, game.hit, game.system.hash())
    assert np.array_equal(again.system.positions, game.system.positions)


def test_a_frame_that_is_refused_is_not_recorded():
    """So short that the red disc would have to be faster than numbers are large."""
    game = Game()
    with pytest.raises(ValueError, match="disc 0: velocity"):
        game.frame(0.6, 0.5, 1e-100)
    assert game.track == [] and game.frame(0.6, 0.5, 1.0)


def test_another_seed_is_another_round():
    assert len({Game(seed).system.positions.tobytes() for seed in range(5)}) == 5


HEAD = "# hdsim play: seed 1, discs 5\n"


@pytest.mark.parametrize("text, line", [
    ("", "empty"), ("dt,x,y\n", r':1: expected "# hdsim play: seed S, discs N", found \'dt,x,y\''),
    (HEAD, ':2: expected "dt,x,y", found nothing'), (HEAD + "x,y\n", ':2: expected "dt,x,y", found \'x,y\''),
    (HEAD + "dt,x,y\n.1,.5,.5\n.1,.5\n", r":4: expected dt,x,y, finite numbers and dt > 0, found '.1,.5'"),
    (HEAD + "dt,x,y\n0,.5,.5\n", ":3: expected dt,x,y"), (HEAD + "dt,x,y\n.1,nan,.5\n", ":3: expected dt,x,y")])
def test_a_file_that_is_no_track(tmp_path, text, line):
    path = tmp_path / "track.csv"
    path.write_text(text)
    with pytest.raises(hdsim.FileFormatError, match="track.csv" + (line if line[0] == ":" else ".*" + line)):
        Track.read(path)


# rounds

def begun(rounds, at=(0.5, 0.5)):
    """Bring the mouse to the red disc, and wait until it plays."""
    for _ in range(3):
        rounds.tick(at, COUNTDOWN / 2)
    assert rounds.playing
    return rounds


def test_a_round_waits_for_the_mouse_at_the_red_disc():
    """It counts down only while the mouse stays there, and no simulated time passes; before that it tells its rules."""
    rounds = Rounds(lambda: Game(3))
    for at, words in [(None, 4), ((0.2, 0.2), 4), ((0.5 + 0.9 * RED_RADIUS, 0.5), 1), ((0.5, 0.5), 1), ((0.6, 0.5), 4),
                      ((0.5, 0.5), 1), (None, 4)]:
        rounds.tick(at, 0.6 * COUNTDOWN)
        assert not rounds.playing and len(rounds.words) == words
    assert "A touch ends the round" in rounds.words[1] and "Every 2 s another blue disc comes" in rounds.words[2]
    begun(rounds)
    assert rounds.game.score == 0 and rounds.words == []
    assert any("Walls stop the red disc" in rule for rule in Rounds(lambda: level(True)(3)).rules)


def test_a_round_pauses_when_the_mouse_leaves():
    """It goes on where the red disc was left, wherever the mouse comes back."""
    rounds = begun(Rounds(lambda: Game(3)))
    rounds.tick((0.55, 0.5), DT)
    rounds.tick(None, DT)
    assert not rounds.playing and rounds.words[0] == "Pause" and rounds.game.score == DT
    rounds.tick((0.9, 0.9), 10)
    assert not rounds.playing
    begun(rounds, (0.55, 0.5)).tick((0.55, 0.5), DT)
    assert rounds.game.score == 2 * DT


def test_a_gap_in_the_clock_is_not_played():
    rounds = begun(Rounds(lambda: Game(discs=0)))
    rounds.tick((0.5, 0.5), 3600)
    assert rounds.game.score == play_rounds.LONGEST_FRAME


def test_the_end_of_a_round_is_reported_once():
    reported = []
    rounds = begun(Rounds(lambda: Game(3), best=0.25, ended=lambda game: reported.append(game) or 77.0))
    while not rounds.over:
        rounds.tick((0.5, 0.5), DT)
    rounds.tick((0.5, 0.5), DT)
    [game] = reported
    assert game is rounds.game and rounds.is_best and rounds.best == 77
    assert rounds.words[:2] == [f"New best: {game.score:.2f} s", rounds.status[1]] and "play again" in rounds.words[2]
    rounds.restart()
    assert rounds.game is not game and not rounds.over and not rounds.playing


def test_a_replay_is_as_fast_as_the_round_was():
    """After half of the wall clock it is at half the time; in the end it is the round."""
    game = rest(Game(8), 0.4, 0.6, dt=0.02)
    replay = Replay(Track.of(game))
    for _ in range(int(game.score / 2 * 60)):
        replay.tick(None, 1 / 60)
    assert replay.game.score == pytest.approx(game.score / 2, abs=0.04) and replay.playing
    while replay.playing:
        replay.tick(None, 1 / 60)
    assert replay.game.system.hash() == game.system.hash()
    assert replay.words[0] == f"{game.score:.2f} s" and "watch again" in replay.words[2]


@pytest.mark.parametrize("frames", [0, 3])
def test_a_replay_of_an_unfinished_round_ends(frames):
    replay = Replay(Track(1, 5, [(DT, 0.5, 0.5)] * frames))
    for _ in range(frames + 1):
        assert replay.playing
        replay.tick(None, DT)
    assert replay.over and replay.game.hit is None and replay.game.score == frames * DT


# best scores

@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder of the user's data."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def played(discs, score):
    game = Game(discs=discs)
    game.system.simulate(until=score)
    return game


def test_the_best_score_is_kept_for_each_number_of_discs(home):
    scores = BestScores()
    assert scores.best(0) == 0
    assert [scores.add(played(0, score)) for score in (1.5, 0.5, 1.75)] == [1.5, 1.5, 1.75]
    assert BestScores().best(0) == 1.75 and BestScores().best(5) == 0


@pytest.mark.parametrize("text", ["", "[]", '{"5": "long"}', '{"5": null}', '{"5": -1}', '{"5": NaN}', "\0"])
def test_scores_that_cannot_be_read_are_none(home, text):
    (home / "hdsim").mkdir()
    (home / "hdsim" / "play.json").write_text(text)
    scores = BestScores()
    assert scores.best(5) == 0 and scores.add(played(0, 1.0)) == 1
    assert BestScores().best(0) == 1


def test_scores_that_cannot_be_written_are_said(home, capsys):
    """Where a file stands in the way of the folder; until the program ends they are known."""
    (home / "hdsim").write_text("")
    assert BestScores().add(played(0, 1.0)) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("hdsim: the best score cannot be saved: ")


def test_a_track_that_cannot_be_written_costs_no_score(home):
    """The error comes out, and the best score is kept."""
    rounds = begun(new_rounds(7, 5, home / "none" / "track.csv"))
    with pytest.raises(FileNotFoundError):
        while not rounds.over:
            rounds.tick((0.5, 0.5), DT)
    assert BestScores().best(5) == rounds.game.score > 0


def test_rounds_record_the_last_that_ended(home, tmp_path):
    """With the seed given, or a new one each."""
    rounds = new_rounds(7, 5, tmp_path / "track.csv")
    for _ in range(2):
        begun(rounds)
        while not rounds.over:
            rounds.tick((0.5, 0.5), DT)
        assert Track.read(tmp_path / "track.csv").replay().system.hash() == rounds.game.system.hash()
        rounds.restart()
    assert json.loads((home / "hdsim" / "play.json").read_text()) == {"5": rounds.best}
    rounds = new_rounds(None, 5)
    assert rounds.best > 0
    seeds = {rounds.game.seed}
    for _ in range(3):
        rounds.restart()
        seeds.add(rounds.game.seed)
    assert len(seeds) > 1


# the command line

@pytest.fixture(scope="module")
def played_out():
    return rest(Game(8), 0.4, 0.6)


@pytest.fixture
def track(tmp_path, monkeypatch, played_out):
    """A recorded round in an empty folder, as track.csv; and the round."""
    monkeypatch.chdir(tmp_path)
    Track.of(played_out).write("track.csv")
    return played_out


def test_a_replay_without_a_window(track, elsewhere, capsys):
    """If that is asked for; in a process without a display also without being asked."""
    expected = {"seed": "8", "blue discs": f"5 to {len(track.system) - 1}",
                "survived": f"{track.score:.6f} s, then touched disc {track.hit}", "hash": track.system.hash()}
    assert cli.main(["play", "--replay", "track.csv", "--no-view"]) == 0
    for out in capsys.readouterr().out, elsewhere("-m", "hdsim", "play", "--replay", "track.csv", DISPLAY=""):
        assert dict(re.split(r"\s{2,}", line, maxsplit=1) for line in out.splitlines()) == expected


@pytest.mark.parametrize("arguments, line", [
    ("--no-view", "a game needs a window: --no-view is for --replay FILE"),
    ("--replay track.csv --seed 1", "--seed is for new rounds, and --replay track.csv shows a recorded one"),
    ("--replay track.csv --discs 1", "--discs is for new rounds"),
    ("--replay track.csv --record b.csv", "--record is for new rounds"),
    ("--replay track.csv --no-view --fullscreen", "--fullscreen belongs to the window, and --no-view opens none"),
    ("--replay none.csv", "none.csv: No such file or directory"),
    ("--record none/a.csv", "--record none/a.csv: there is no folder"),
    ("--discs 9999", "discs is 9999; there is room for"),
    ("--discs -1", "discs is -1; it must be >= 0"),
    ("--discs 5", "display"),
])
def test_wrong_words_get_one_line(track, home, capsys, monkeypatch, arguments, line):
    monkeypatch.setenv("DISPLAY", "")
    assert cli.main(["play", *arguments.split()]) == 2
    [said] = capsys.readouterr().err.splitlines()
    assert said.startswith("hdsim: error: ") and line in said


# the tutorial

def test_the_game_stands_on_public_names():
    """Of hdsim it uses what `hdsim.__all__` has, of its objects no private name."""
    tree = ast.parse(inspect.getsource(play))
    used = {node.attr for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "hdsim"}
    assert {"CollisionSystem", "Particle", "STOP"} <= used <= set(hdsim.__all__)
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert "hdsim" in imported and not any(isinstance(node, ast.ImportFrom) and (node.level or "hdsim" in node.module)
                                           for node in ast.walk(tree))
    private = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")
               and not (isinstance(node.value, ast.Name) and node.value.id == "self")}
    assert private == set()


def test_the_tutorial_shows_the_code_itself(root):
    """Each block of docs/play.md stands in play.py, word for word, or is a doctest that passes."""
    source = inspect.getsource(play)
    blocks = re.findall(r"^```python\n(.*?)^```", (root / "docs" / "play.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    for block in blocks:
        if ">>>" in block:
            example = doctest.DocTestParser().get_doctest(block, {}, "block", "play.md", 0)
            assert doctest.DocTestRunner().run(example).failed == 0
        elif '.save("play.png")' not in block:        # which makes the picture of the page
            assert any(textwrap.indent(block, indent) in source for indent in ("", 4 * " ", 8 * " ")), block


# the window

def in_a_window():
    """Waits, counts down, plays, pauses, ends, begins again, quits; the red disc is drawn where the mouse is."""
    import pyglet
    from pyglet.window import key

    from hdsim import viewer
    play_rounds.COUNTDOWN = 0.2
    rounds = Rounds(lambda: Game(3))

    def pixel(window, x, y):
        """The colour there, drawn afresh; x, y: box lengths."""
        window.switch_to()
        window.on_draw()
        data = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data()
        pixels = np.frombuffer(data.get_data("RGBA", data.width * 4), np.uint8).reshape(data.height, data.width, 4)
        column, row = window.box_view().to_pixel(x, y)
        return tuple(pixels[round(row), round(column), :3].tolist())

    def move(window, x, y):
        px, py = window.box_view().to_pixel(x, y)
        window.dispatch_event("on_mouse_motion", px / window.get_pixel_ratio(), py / window.get_pixel_ratio(), 0, 0)

    def act(window):
        yield 3
        assert not rounds.playing and pixel(window, 0.5, 0.5) == play.RED
        blue = rounds.game.system.positions[1].tolist()
        assert pixel(window, *blue) != play.BLUE                # under a veil
        move(window, 0.5, 0.5)
        while not rounds.playing:
            yield 1
        move(window, 0.53, 0.51)
        yield 2
        np.testing.assert_allclose(rounds.game.system.positions[0], (0.53, 0.51), atol=2e-3)       # whole pixels
        assert pixel(window, 0.53, 0.51) == play.RED
        assert pixel(window, *rounds.game.system.positions[1]) == play.BLUE
        window.dispatch_event("on_mouse_leave", 0, 0)
        yield 2
        assert rounds.words[0] == "Pause"
        move(window, *rounds.game.system.positions[0])
        while not rounds.over:
            move(window, *(rounds.game.system.positions[1] if rounds.playing else rounds.game.system.positions[0]))
            yield 1
        assert pixel(window, *rounds.game.system.positions[rounds.game.hit]) == play.BLUE
        game = rounds.game
        window.dispatch_event("on_mouse_press", 5, 5, 1, 0)
        assert rounds.game is not game and not rounds.over
        window.dispatch_event("on_key_press", key.SPACE, 0)     # nothing to begin again
        window.dispatch_event("on_key_press", key.ESCAPE, 0)
        yield 60
        raise AssertionError("still open")

    acting, frames = None, 0

    def look(dt):
        nonlocal acting, frames
        [window] = pyglet.app.windows
        acting = acting or act(window)
        frames -= 1
        if frames <= 0:
            frames = next(acting)

    pyglet.clock.schedule_interval(look, 1 / 60)
    viewer.show_rounds(rounds)
    assert len(pyglet.app.windows) == 0


def test_a_round_in_a_window(screen, missing):
    code = "import test_play; test_play.in_a_window()"
    paths = os.pathsep.join([os.path.dirname(__file__), *(path for path in sys.path if path)])
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": paths, "DISPLAY": screen},
                          capture_output=True, text=True, timeout=120, check=False)
    if "NoDisplayError" in done.stderr:
        missing(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr
