"""StdDraw: pictures, films and the window of programs that have a loop of their own."""
import pytest
from films import film_of
from test_viewer import child

from hdsim import viewer
from hdsim.compat import Ball, BouncingBalls, Canvas, CollisionSystem, Particle, StdDraw, WindowClosed, drawing


@pytest.fixture
def board():
    """StdDraw, empty before and after the test."""
    StdDraw.clear()
    yield StdDraw
    StdDraw.clear()
    StdDraw.box = (1, 1)


def frames_of(path):
    """Pictures per second, and the number of discs of each, of a film as a page."""
    film = film_of(path.read_text())
    return film["fps"], [part["n"] for part in film["segments"] for _ in range(part["frames"])]


def test_discs_and_balls_draw_themselves(board):
    """Where they are when they are drawn, until the board is cleared; a disc brings its box."""
    ball, disc = Ball(.25, .5, .01, 0, .1), Particle(1.5, .5, 0, 0, .2, 1, (255, 0, 9))
    system = CollisionSystem([disc], width=2)
    ball.draw()
    assert (board.box.width, board.box.height) == (1, 1)
    system.particles[0].draw()
    ball.move(10)
    assert board.positions.tolist() == [[.25, .5], [1.5, .5]] and board.radii.tolist() == [.1, .2]
    assert board.colors.tolist() == [[0, 0, 0], [255, 0, 9]] and (board.box.width, board.box.height) == (2, 1)
    ball.draw()
    assert (board.box.width, board.box.height) == (1, 1)
    board.clear()
    assert len(board) == 0 and board.positions.shape == (0, 2) and board.colors.shape == (0, 3)


def test_a_picture_is_a_file(board, missing, tmp_path):
    """Black where the ball is, white beside it."""
    Ball(.25, .75, 0, 0, .1).draw()
    try:
        board.save(tmp_path / "ball.png")
    except viewer.NoDisplayError as error:
        missing(str(error))
    assert (tmp_path / "ball.png").read_bytes().startswith(b"\x89PNG")
    picture = viewer.snapshot(board, look=viewer.Look(colors="file"))
    height, width, _ = picture.shape
    assert picture[height // 4, width // 4].tolist() == [0, 0, 0] and min(picture[3 * height // 4, width // 4]) > 240


def test_a_film_has_a_frame_for_each_picture(board, tmp_path):
    """With the pause of the first one; the film ends with its block, and there may be another one."""
    with board.record(str(tmp_path / "balls.html")):
        BouncingBalls(7).simulate(steps=5)
    with board.record(str(tmp_path / "system.html")):
        CollisionSystem(Particle.read("p10")).simulate(10)
    with board.record(str(tmp_path / "still.html")):
        board.show()
    assert frames_of(tmp_path / "balls.html") == (20, [7] * 5)
    assert frames_of(tmp_path / "system.html") == (50, [10] * 6)
    assert frames_of(tmp_path / "still.html") == (30, [10])


def test_films_that_cannot_be(board, tmp_path):
    """A wrong suffix is refused before anything is drawn, a second film while there is one, and one without an end."""
    with pytest.raises(ValueError, match="x.avi: expected a film that ends in"):
        with board.record(str(tmp_path / "x.avi")):
            pass
    with board.record(str(tmp_path / "x.html")):
        with pytest.raises(RuntimeError, match="y.html: another film is being recorded"):
            with board.record(str(tmp_path / "y.html")):
                pass
        with pytest.raises(ValueError, match="until is infinite"):
            CollisionSystem(Particle.read("p10")).simulate()
        with pytest.raises(ValueError, match="steps is infinite, and a film is being recorded"):
            BouncingBalls(3).simulate()
        assert board.recording
    assert not board.recording and list(tmp_path.iterdir()) == []


def test_without_a_display_there_is_nothing_to_show(board, monkeypatch):
    """`show` raises; a system runs without pictures."""
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.setattr("sys.platform", "linux")
    assert not board.ready()
    with pytest.raises(viewer.NoDisplayError):
        board.show()
    with pytest.raises(viewer.NoDisplayError):
        BouncingBalls(3).simulate(1)
    system = CollisionSystem(Particle.read("p10"))
    assert system.simulate(20) == 6
    system.redraw()
    assert len(board) == 3 and system.pq.size() > 0


def show_in_a_window():
    """All pictures are shown in one window. Closing it ends simulate, and raises SystemExit in a loop of the caller. The event
    loop of another window does not wait for it."""
    import pyglet

    system = CollisionSystem(Particle.read("p10"))
    pauses = []
    drawing.sleep = pauses.append
    assert StdDraw.ready() and system.simulate(20) == 6 and pauses == [.02] * 11
    window = StdDraw._window
    assert window.context is not None and window not in pyglet.app.windows
    image = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data()
    colors = set(zip(*[iter(image.get_data("RGB", 3 * image.width))] * 3))
    assert {tuple(p.color) for p in system.particles} <= colors
    window.dispatch_event("on_key_press", pyglet.window.key.ESCAPE, 0)
    time = system.t
    assert system.simulate() == 0 and system.t == time and StdDraw._window is None
    other = Canvas()
    other.show()
    other._window.close()
    BouncingBalls(5).simulate(2)
    StdDraw._window.dispatch_event("on_close")
    with pytest.raises(SystemExit) as closed:
        StdDraw.show()
    assert closed.type is WindowClosed


def test_a_window_shows_what_is_drawn(screen):
    child(show_in_a_window, DISPLAY=screen)
