"""States of legal runs go through every door, and go on as they would have.

Frames are taken at events and between, from runs among obstacles that come and go, arcs and paths that discs pass from behind,
and walls that discs and points touch. Each is written in every form that keeps discs and obstacles, is read again, and is
compared with the run that went on from a checkpoint.
"""
import dataclasses
import io as streams
import itertools
import math
import random

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Particle, Path, Polygon, Polyline, Segment
from hdsim.browser.show import Show
from hdsim.browser.worker import Workplace
from hdsim.formats import files, io
from hdsim.formats.tail import format_tail
from hdsim.model.gates import is_there
from hdsim.model.obstacles import gap
from hdsim.reference.textbook_face import TextbookSystem

ROOM = Box(4, 4)


def open_shapes(rnd, **keywords):
    """Arcs and paths that discs pass from behind, in round decimals and elsewhere."""
    side = rnd.choice(["inside", "outside"])
    middle, radius = (round(rnd.uniform(1, 3), 1), round(rnd.uniform(1, 3), 1)), rnd.choice([.4, .5, .75])
    begin = rnd.choice([0, 90, 45, 200])
    arc = Arc(middle, radius, begin, begin + rnd.choice([90, 180, 270]), side, **keywords)
    x, y = round(rnd.uniform(.5, 1.5), 1), round(rnd.uniform(1, 3), 1)
    path = Path([Segment((x, y), (x + 1, y)), Segment((x + 1, y), (x + 1.5, y + .5)), Segment((x + 1.5, y + .5), (x + 1.5,
                                                                                                                  y + .8))],
                side, **keywords)
    bend = Path([Segment((x, y), (x + .7, y)), Arc((x + .7, y + .3), .3, 270, 0), Segment((x + 1., y + .3), (x + 1., y + .8))]
                if (x + .7, y) == Arc((x + .7, y + .3), .3, 270, 0).start and Arc((x + .7, y + .3), .3, 270, 0).end == (x + 1.,
                                                                                                                        y + .3)
                else [Segment((x, y), (x + .7, y)), Segment((x + .7, y), (x + 1, y + .5))], side, **keywords)
    return [rnd.choice([arc, path, bend])]


def coming_and_going(rnd):
    """A solid or thin obstacle that appears, where discs are, and most often goes again."""
    begin = round(rnd.uniform(0, 4), 1)
    times = dict(from_time=begin, until=rnd.choice([math.inf, begin + 3]))
    x, y = round(rnd.uniform(.8, 3.2), 1), round(rnd.uniform(.8, 3.2), 1)
    return rnd.choice([
        lambda: Circle((x, y), .6, **times), lambda: Circle((2, 2), 1.5, "inside", **times),
        lambda: Polygon([(x, y), (x + .7, y), (x + .7, y + .7), (x, y + .7)], **times),
        lambda: Polyline([(x, y), (x + .5, y), (x + .5, y + .5)], **times), lambda: Line((1, 0), (1, .1), **times),
        lambda: open_shapes(rnd, **times)[0], lambda: Segment((x, y), (x, y + .7), species=rnd.choice([0, 1]), **times)])()


def legal_run(seed, periodic=False):
    """A system of few discs and points, all moving, among such obstacles; deterministic."""
    rnd = random.Random(seed)
    shapes = [coming_and_going(rnd) for _ in range(2)] + open_shapes(rnd, species=rnd.choice([None, 0]))
    shapes.append(Segment((.1, 3.9), (.2, 3.8), until=rnd.choice([2, math.inf])))
    if periodic:
        shapes = [shape for shape in shapes if not isinstance(shape, Line)]     # whose images fill the box
    rnd.shuffle(shapes)
    places = [(.5 + k % 4, .5 + k // 4) for k in range(16)]
    rnd.shuffle(places)
    speed = rnd.choice([1., 1., 1000., .001])
    discs = []
    for x, y in places[:rnd.choice([1, 3, 6])]:
        radius = rnd.choice([.1, .2, .05, .05, 0])
        try:
            CollisionSystem([Particle(x, y, 0, 0, radius, 1)], box=ROOM, obstacles=shapes)
        except ValueError:
            continue
        digits = 2 if radius > 0 else 17        # for points, whose path might lead through an end or corner
        discs.append(Particle(x, y, round(rnd.gauss(0, 1), digits), round(rnd.gauss(0, 1), digits), radius, rnd.choice([.5, 1])))
    system = CollisionSystem(discs, box=Box(4, 4, periodic), obstacles=shapes)
    if speed != 1:      # of the clock: the same run, in other units of time
        shapes = [dataclasses.replace(shape, from_time=shape.from_time / speed,
                                      until=shape.until / speed) if not isinstance(shape, Arc)
                  else Arc(shape.center, shape.radius, shape.start, shape.end, shape.side, species=shape.species,
                           from_time=shape.from_time / speed, until=shape.until / speed) for shape in shapes]
        for disc in discs:
            disc.vx, disc.vy = disc.vx * speed, disc.vy * speed
        system = CollisionSystem(discs, box=Box(4, 4, periodic), obstacles=shapes)
    return system, speed, rnd


def by_arrays(system, folder=None):
    return CollisionSystem.from_arrays(system.positions, system.velocities, system.radii, system.masses, box=system.box,
                                       time=system.time, obstacles=system.obstacles, species=system.species)


def by_particles(system, folder=None):
    return CollisionSystem([system[k] for k in range(len(system))], box=system.box, time=system.time, obstacles=system.obstacles,
                           species=system.species)


def by_addition(system, folder=None):
    """All discs are added, one after another, to a system that has only the obstacles."""
    found = CollisionSystem(box=system.box, time=system.time, obstacles=system.obstacles, species=[])
    for k in range(len(system)):
        found.add(system[k], int(system.species[k]))
    return found


def by_edit(system, folder=None):
    """All discs become smaller and larger again, and the obstacles are taken away and put back."""
    found = system.copy()
    with found.edit() as draft:
        draft.radii *= .5
        draft.obstacles.clear()
    with found.edit() as draft:
        draft.radii[:], draft.species[:] = system.radii, system.species
        draft.obstacles += system.obstacles
    return found


def by_configuration(system, folder=None):
    return CollisionSystem.from_configuration(with_species(system))


def with_species(system):
    """Its configuration, with species although none were given."""
    return dataclasses.replace(system.configuration(), species=system.species)


def by_text(system, folder=None):
    return hdsim.load(streams.StringIO(io.format_text(with_species(system))))


def by_link(system, folder=None):
    here, there = Workplace(), Workplace()
    here.show = Show(by_particles(system))
    there.open_link(here.link("a program"))
    return there.show.playback.system


def by_file(suffix):
    def door(system, folder):
        files.write(folder / f"frame{suffix}", by_particles(system).frame())
        return hdsim.load(folder / f"frame{suffix}")
    return door


# Those that take longer get a quarter of the frames.
DOORS = {"arrays": by_arrays, "particles": by_particles, "addition": by_addition, "edit": by_edit, "text": by_text,
         "configuration": by_configuration}
FILES = {"link": by_link, "xyz": by_file(".xyz"), "gsd": by_file(".gsd")}


def ahead(system, begin, unit, count=6):
    """The next events of a copy: when after `begin`, what, and which disc meets what. Changes of obstacles at this very instant,
    which have been executed or not, are left out."""
    coming = (event for event in system.copy().events(until=system.time + 97.3137 * unit)
              if event.kind != "device" or event.time > begin)
    return [(event.time - begin, event.kind, event.particles, event.obstacle, event.wall)
            for event in itertools.islice(coming, count)]


def same(one, other, unit):
    """Whether events are the same, and their times to rounding, which grows from contact to contact; those at one time but for
    rounding may be in any order."""
    times, others = (np.array([row[0] for row in rows]) for rows in (one, other))
    return (len(times) == len(others) and (np.abs(times - others) <= 1e-9 * unit * 30.0**np.arange(len(times))).all()
            and sorted(map(repr, (row[1:] for row in one))) == sorted(map(repr, (row[1:] for row in other))))


def frames(system, speed, rnd):
    """The system at some of its events, and between: copies."""
    for _ in range(rnd.choice([3, 6])):
        for _ in range(rnd.randrange(1, 4)):
            if system.time * speed < 9 and system.next_event() is None:
                return
        yield system.copy()
        due = system.peek()
        if due is not None:
            between = system.copy()
            between.simulate(until=system.time + rnd.choice([.5, .1, .9]) * (due.time - system.time))
            yield between


def inside(system):
    """Whether a disc overlaps an obstacle now."""
    return any(gap(obstacle, *position, radius) < -1e-6 for obstacle in system.obstacles if is_there(obstacle, system.time)
               for position, radius in zip(system.positions, system.radii))


def follow(seed, folder, periodic=False):
    """Take frames of a run through all doors; how many there were, and in how many a disc was in an obstacle."""
    system, speed, rnd = legal_run(seed, periodic)
    found = held = 0
    for frame in frames(system, speed, rnd):
        frame.save(folder / "state.npz")
        expected = ahead(hdsim.load(folder / "state.npz"), frame.time, 1 / speed)
        found, held = found + 1, held + inside(frame)
        doors = dict(itertools.islice({**DOORS, **FILES}.items(), len(DOORS) + len(FILES) if found % 4 == 0 else len(DOORS)))
        for name, door in doors.items():
            other = door(frame, folder)
            assert same(expected, ahead(other, other.time, 1 / speed), 1 / speed), (seed, name)
    return found, held


@pytest.mark.more
@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
@pytest.mark.parametrize("periodic", [False, True])
def test_states_of_legal_runs_go_through_every_door(periodic, tmp_path):
    counts = np.array([follow(seed, tmp_path, periodic) for seed in range(10)]).sum(axis=0)
    assert counts[0] > 50 and counts[1] > 10


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
@pytest.mark.parametrize("periodic", [False, True])
def test_states_of_hundreds_of_legal_runs_go_through_every_door(periodic, tmp_path):
    counts = np.array([follow(seed, tmp_path, periodic) for seed in range(1000, 1300)]).sum(axis=0)
    assert counts[0] > 1500 and counts[1] > 400


BOWL = dict(center=(.5, .5), radius=.25, start=180, end=0)     # the lower half of a circle
SOLIDS = [
    (Circle((.5, .5), .2), (.5, .5), (.6, .5), (.72, .5)), (Circle((.5, .5), .3, "inside"), (.5, .22), (.9, .9), (.3, .3)),
    (Polygon([(.3, .3), (.7, .3), (.7, .7), (.3, .7)]), (.5, .5), (.28, .5), (.71, .71)),
    (Segment((.5, .2), (.5, .8)), (.5, .5), (.52, .8), (.5, .829)), (Line((0, .4), (0, 1)), (.5, .3), (.5, .42), (.1, .1)),
    (Arc(**BOWL), (.5, .25), (.25, .5), (.75, .5)), (Arc((.5, .5), .25, 0, 0, "inside"), (.5, .25), (.9, .5), (.1, .1)),
    (Segment((.5, .2), (.5, .8), until=5), (.5, .5), (.52, .8), (.5, .829)), (Circle((.5, .5), .2, until=.1), (.5, .5), (.6, .6)),
    # The free ends of what discs pass from behind.
    (Arc(**BOWL, side="inside"), (.25, .5), (.75, .51), (.27, .52)), (Arc(**BOWL, side="outside"), (.75, .5), (.23, .5)),
    (Path([Segment((.2, .5), (.5, .5)), Segment((.5, .5), (.8, .5))], "inside"), (.2, .5), (.82, .51), (.8, .48)),
]


@pytest.mark.sample(9)
@pytest.mark.parametrize("species", [None, 0, (0, 3)])
@pytest.mark.parametrize("obstacle, places", [(obstacle, places) for obstacle, *places in SOLIDS], ids=repr)
def test_no_door_lets_a_disc_into_what_was_there_from_the_beginning(obstacle, places, species):
    """Also beside an obstacle that has appeared there, too. As soon as the obstacle is gone there is room."""
    felt = copied(obstacle, species=species)
    over = copied(obstacle, from_time=-1, until=7)
    for x, y in places:
        for obstacles in ([felt], [over, felt]):
            with pytest.raises(ValueError, match=rf"disc 0 at .* overlaps obstacles\[{len(obstacles) - 1}\], "):
                CollisionSystem([Particle(x, y, .1, .2, .03, 1)], obstacles=obstacles)
            with pytest.raises(ValueError, match="expected discs clear of the obstacles"):
                hdsim.load(streams.StringIO(f"1\n{x} {y} .1 .2 .03 1 0 0 0\n{format_tail(obstacles)}"), order="radius-mass")
            empty = CollisionSystem(obstacles=obstacles)
            with pytest.raises(ValueError, match="disc 0 at .* overlaps"):
                empty.add(Particle(x, y, .1, .2, .03, 1), species=0)
            assert len(empty) == 0
            small = CollisionSystem([Particle(.05, .95, 0, 0, .03, 1)])
            with pytest.raises(ValueError, match="disc 0 at .* overlaps"):
                with small.edit() as draft:
                    draft.obstacles += obstacles
                    draft.positions[0] = x, y
            assert small.obstacles == () and small.positions.tolist() == [[.05, .95]]
        if obstacle.until < math.inf:
            for time in (obstacle.until, 6.5):
                assert len(CollisionSystem([Particle(x, y, .1, .2, .03, 1)], obstacles=[felt], time=time)) == 1
        with pytest.raises(ValueError, match="overlaps obstacle 0"):
            hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(x, y, .1, .2, .03, 1)], obstacles=[felt])
        hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(x, y, .1, .2, .03, 1)], obstacles=[over])
        CollisionSystem([Particle(x, y, .1, .2, .03, 1)], obstacles=[copied(obstacle, species=5)])
        assert CollisionSystem([Particle(x, y, .1, .2, .03, 1)], obstacles=[over]).add(Particle(.05, .95, 0, 0, .03, 1)) == 1


def copied(obstacle, **changes):
    if isinstance(obstacle, Arc):
        given = {name: getattr(obstacle, name) for name in ("side", "species", "from_time", "until")}
        return Arc(obstacle.center, obstacle.radius, obstacle.start, obstacle.end, **{**given, **changes})
    return dataclasses.replace(obstacle, **changes)


@pytest.mark.sample(2)
@pytest.mark.parametrize("make", [
    lambda **k: Arc((.5, .5), .25, 180, 0, "inside", **k), lambda **k: Arc((.5, .5), .25, 180, 0, "outside", **k),
    lambda **k: Path([Segment((.2, .25), (.5, .25)), Segment((.5, .25), (.8, .25))], "inside", **k),
    lambda **k: Path([Segment((.8, .25), (.5, .25)), Segment((.5, .25), (.2, .25))], "outside", **k)])
def test_a_disc_on_its_way_through_from_behind_is_let_in_and_goes_on(make):
    """In round decimals: the disc, its middle on the wall or beside it, does not touch the wall. With species, too. The
    textbook's engine does the same, also if another disc hits it on its way."""
    for species in (None, 0):
        for y in (.2, .25, .27, .3):
            for vx, vy in ((0, .5), (.1, .3), (0, -.5), (0, 0)):
                shape = make(species=species)
                system = CollisionSystem([Particle(.5, y, vx, vy, .1, 1)], obstacles=[shape])
                first = system.peek()
                assert first is None or first.obstacle is None
                pushed = [(.5, y, vx, vy, .1, 1), (.51, .9, 0, -1, .05, 1)]
                engine = CollisionSystem([Particle(*row) for row in pushed], obstacles=[shape])
                book = TextbookSystem(engine)
                for _ in range(6):
                    event, mine = book.next_event(), engine.next_event()
                    assert (event.kind, event.particles, event.obstacle) == (mine.kind, mine.particles, mine.obstacle)
                    assert event.time == pytest.approx(mine.time, rel=1e-9)


@pytest.mark.parametrize("wall", [Arc((.5, .5), .25, 180, 0, "inside"), Path([Segment((.25, .5), (.75, .5))], "outside")])
def test_the_free_ends_are_touched_from_behind_whoever_feels_the_obstacle(wall):
    """A disc that comes from behind, and is in the wall before it reaches the end, is sent back by the end."""
    told = set()
    for changes in ({}, {"species": 0}, {"species": (0, 1)}, {"until": 9}):
        found = []
        for x in (.7, .75, .8):
            system = CollisionSystem([Particle(x, .3, .01, .5, .06, 1)], obstacles=[copied(wall, **changes)])
            found += [(event.time, event.obstacle) for event in itertools.islice(system.events(until=8), 3)]
        told.add(tuple(found))
    assert len(told) == 1 and any(obstacle == 0 for _, obstacle in told.pop())


@pytest.mark.sample(1)
@pytest.mark.parametrize("speed, start", [(1.2345, .3), (123.45, .7), (3e-5, .1)])
def test_what_touches_a_wall_by_rounding_is_let_in(speed, start):
    """Points and discs that have crossed the box many times since the origin of the clock moved: their times, and so their
    places, are coarser than after one crossing. A billionth of the box is no rounding."""
    n = 2000
    for radius in (0., 1e-9, .01):
        positions = np.column_stack([np.r_[np.linspace(.2, .8, n - 1), .1], np.r_[np.full(n - 1, .5), start]])
        velocities = np.zeros((n, 2))
        velocities[-1, 1] = speed
        radii = np.zeros(n)
        radii[-1] = radius
        system = CollisionSystem.from_arrays(positions, velocities, radii, 1.)
        deepest = 0.
        for _ in range(5 * n):
            system.simulate(until=math.inf, max_events=3)
            y = system[n - 1].ry
            depth = max(radius - y, y - 1 + radius)
            if depth > deepest:
                deepest = depth
                assert np.array_equal(by_arrays(system).positions, system.positions)
                read = hdsim.load(streams.StringIO(io.format_text(system.configuration())), order="radius-mass")
                assert np.array_equal(read.positions, system.positions)
        assert 0 < deepest < 1e-11 + 1e-9 * radius
        for place in (-1e-9, 1 + 1e-9, -1e-3):
            positions[-1] = .1, place + (radius if place < 0 else -radius)
            with pytest.raises(ValueError, match="reaches through the"):
                CollisionSystem.from_arrays(positions, velocities, radii, 1.)


@pytest.mark.parametrize("at", [0, -1e-16, -2e-15, 1, 1 + 2e-16])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_point_on_a_wall_or_beyond_it_by_rounding_is_read(at, axis):
    place = [.5, .5]
    place[axis] = at
    text = f"1\n{place[0]!r} {place[1]!r} .25 .125 0 1 0 0 0\n"
    system = hdsim.load(streams.StringIO(text), order="radius-mass")
    assert system.positions.tolist() == [place] and system.simulate(until=20) > 3
    book = hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(*place, .25, .125, 0, 1)])
    assert book.simulate(19) == CollisionSystem([Particle(*place, .25, .125, 0, 1)]).simulate(until=19)


def test_a_disc_as_wide_as_a_slot_is_read():
    """It moves along the slot, and touches neither wall."""
    system = hdsim.load(streams.StringIO("1\n.5 1.25 0 1 .5 1 0 0 0\nbox 1 2\n"), order="radius-mass")
    assert system.simulate(until=2.25) == 3 == CollisionSystem([Particle(.5, 1.25, 0, 1, .5, 1)], box=(1, 2)).simulate(until=2.25)
