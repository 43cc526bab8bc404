"""hdsim inside other programs: example packages in Cython, C and cffi, and compatibility with modules built
against an earlier release. docs/embedding.md shows the same files."""
import ctypes
import doctest
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import numpy as np
import pytest
from scenes import at_most, environment, gas, trajectory

import hdsim
from hdsim import STOP, Box, CollisionSystem, Particle, Sphere
from hdsim.system.native import CONTACT, CONTACT_IN, EVENT, EVENT_IN

pytestmark = pytest.mark.xdist_group("embedding")      # the example package is built once


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever; compilers may take their time."""
    with at_most(120):
        yield


# What needs a compiler is built once.

@pytest.fixture(scope="session")
def stranger(built):
    return imported("stranger", built)


def imported(name, folder):
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


POINTER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


# Packages in Cython

def right_hits(system, until):
    """What the example packages count, in Python."""
    hits = [c.impulse for event in system.events(until) for c in event.contacts if c.wall == "right"]
    statistics = system.statistics
    total = 0.
    for impulse in hits:        # sum() is exact from Python 3.12 on, C is not
        total += impulse
    return statistics["pair_contacts"] + statistics["wall_contacts"], len(hits), total


def test_a_package_in_cython_runs_the_engine_without_the_gil(stranger):
    """What its own function counts is what Python counts; it ends the run itself."""
    expected = right_hits(hdsim.load("billiards5"), 1000)
    assert stranger.hits_of("billiards5", 1000., 2**62) == pytest.approx(expected, rel=1e-14) and expected[1] > 100
    contacts, hits, _ = stranger.hits_of("billiards5", 1000., 3)
    assert hits == 3 and contacts < expected[0]


def test_a_package_in_cython_gets_the_exceptions_of_python(stranger):
    """With type and message."""
    with pytest.raises(FileNotFoundError, match="no_such_thing: no such file, and no system of this name"):
        stranger.hits_of("no_such_thing", 1., 1)
    system = gas()
    system.simulate(1)
    with pytest.raises(ValueError, match="until is 0.5, before the present time"):
        stranger.hits_in(system, .5)
    with pytest.raises(TypeError, match="expected a CollisionSystem, got list"):
        stranger.hits_in([], .5)

    def fail(event):
        raise KeyError("from Python")
    system.on_collision(fail)
    with pytest.raises(KeyError, match="from Python") as caught:
        stranger.hits_in(system, 2.)
    assert any(frame.name == "fail" for frame in caught.traceback)
    assert len(system.subscriptions) == 1          # it has cleaned up


def test_a_package_in_cython_works_on_a_system_of_python(stranger):
    """The system is the same object; afterwards it runs on without the package's function, and no reference to it is left."""
    system, twin = gas(), gas()
    before = sys.getrefcount(system)
    expected = right_hits(twin, 1)
    assert stranger.hits_in(system, 1.) == pytest.approx(expected, rel=1e-14)
    assert trajectory(system) == trajectory(twin) and system.subscriptions == () and sys.getrefcount(system) == before
    system.on_collision(stranger.counter())
    before = stranger.counted()
    assert system.simulate(2) == twin.simulate(2) == stranger.counted() - before


def test_a_package_in_cython_adds_obstacles(stranger):
    """Lines of a file: what its function counts at one of them is what Python counts; wrong lines are its exceptions."""
    lines = "segment .98 .2 .98 .8 until=500\ncircle .02 .98 .01 name=é"
    system = hdsim.load("p10")
    assert [system.add_obstacles(line) for line in lines.splitlines()] == [1, 2]
    hits = [c.impulse for event in system.events(3000) for c in event.contacts if c.obstacle == 1]
    assert stranger.hits_among("p10", lines, 3000.) == (2, len(hits), pytest.approx(sum(hits))) and len(hits) > 2
    assert stranger.hits_among("p10", lines.partition("\n")[0], 400.)[1] > 0
    with pytest.raises(hdsim.FileFormatError, match="^lines:1: expected segment, .*; did you mean segment"):
        stranger.hits_among("p10", "segmnt 0 0 1 1", 1.)


def test_a_package_in_cython_has_spheres(stranger):
    """What its own function counts at the wall across the third axis is what Python counts."""
    rng = np.random.default_rng(1)
    places = np.array([(x, y, z) for x in (.2, .5, .8) for y in (.2, .5, .8) for z in (.15, .45)])
    start = places, rng.normal(size=places.shape), np.full(18, .05), np.linspace(1, 2, 18)
    system = CollisionSystem.from_arrays(*start, box=Box(1, 1, (True, True, False), depth=.6))
    hits = [c.impulse for event in system.events(5.) for c in event.contacts if c.wall == "front"]
    contacts = system.statistics["pair_contacts"] + system.statistics["wall_contacts"]
    assert stranger.hits_of_spheres(*start, .6, 5.) == (contacts, len(hits), pytest.approx(sum(hits))) and len(hits) > 20
    with pytest.raises(ValueError, match="disc 0 at .* reaches through the back wall"):
        stranger.hits_of_spheres(start[0] - .12, *start[1:], .6, 5.)


def test_formulas_and_the_queue_come_with_it(stranger):
    """Inlined: no engine."""
    assert stranger.first_to_meet([3., 1., 2.]) == 1


def test_a_module_that_forgets_import_hdsim_gets_an_error(built):
    """RuntimeError at the first use, in every build."""
    with pytest.raises(RuntimeError, match=r"hdsim is used before import_hdsim\(\): call it once at the top of this module"):
        imported("forgetful", built).run()


OTHER_ENGINE = """
import ctypes, hdsim._embedding as e, hdsim._core
size = int.from_bytes(ctypes.string_at(hdsim._core.capsule_parts(e._C_API)[1] + 8, 8), "little")
old = ctypes.string_at(hdsim._core.capsule_parts(e._C_API)[1], size)
major, minor = (int.from_bytes(old[k:k + 4], "little", signed=True) for k in (0, 4))
new = b"".join(number.to_bytes(4, "little", signed=True) for number in (major + MAJOR, minor + MINOR))
memory = ctypes.create_string_buffer(new + (size + 16).to_bytes(8, "little") + old[16:] + 16 * b"x")
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
name = b"hdsim._embedding._C_API"
e._C_API = capsule(ctypes.addressof(memory), name, None)
try:
    import stranger
except ImportError as error:
    print(error)
else:
    print(stranger.hits_of("billiards5", 1000., 3)[1])
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("major, minor, answer", [
    (0, 0, r"3$"), (0, 1, r"3$"),
    (1, 0, r"this program was built for version 1\.2 of hdsim's C interface, but hdsim has 2\.2: rebuild the program against "),
    (-1, 0, r"this program was built for version 1\.2 .* hdsim has 0\.2: rebuild"),
    (0, -1, r"this program was built for version 1\.2 .* hdsim has 1\.1: update hdsim, or rebuild"),
])
def test_an_older_package_works_and_another_interface_is_refused(major, minor, answer, built, elsewhere):
    """A newer engine has more functions at the end of its table and a larger minor number; another major number, or an older
    minor one, is an ImportError with both numbers."""
    code = OTHER_ENGINE.replace("MAJOR", str(major)).replace("MINOR", str(minor))
    path = os.pathsep.join([environment()["PYTHONPATH"], str(built)])
    assert re.match(answer, elsewhere("-c", code, PYTHONPATH=path))


def test_events_may_grow(stranger):
    """A package reads events that have more fields at their end than it was built with."""
    longer = np.zeros(1, np.dtype([*((name, EVENT[name]) for name in EVENT.names), ("new", "f8", 7)]))
    longer["size"], longer["contact_count"] = longer.itemsize, 3
    address = hdsim._core.capsule_parts(stranger.counter())[1]
    before = stranger.counted()
    assert POINTER(address)(longer.ctypes.data, None) == 0 and stranger.counted() == before + 3


def test_the_numpy_type_is_the_structure_of_the_header(table):
    """EVENT and EVENT_IN have the fields of hdsim_event and hdsim_event_in, where they are."""
    ffi, _ = table
    for dtype, name in ((EVENT, "hdsim_event"), (CONTACT, "hdsim_contact"), (CONTACT["a"], "hdsim_state"),
                        (EVENT_IN, "hdsim_event_in"), (CONTACT_IN, "hdsim_contact_in"), (CONTACT_IN["a"], "hdsim_state_in")):
        assert ffi.sizeof(name) == dtype.itemsize
        assert [(field, of.offset) for field, of in ffi.typeof(name).fields] == [(f, dtype.fields[f][1]) for f in dtype.names]


# The table, from C and through cffi

@pytest.mark.sample(1)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_program_in_c_brings_its_own_python(language, root, compiler, tmp_path):
    """Compiled as C99 and as C++ without a warning, it prints what Python finds."""
    library = sysconfig.get_config_var("LIBDIR")
    if not any(os.path.exists(os.path.join(library, name))
               for name in (sysconfig.get_config_var("LDLIBRARY"), sysconfig.get_config_var("LIBRARY"))):
        pytest.skip("there is no library of Python to link with")
    options = ["-x", "c", "-std=c99", "-pedantic"] if language == "c" else ["-x", "c++", "-Wno-missing-field-initializers"]
    if language == "c++" and shutil.which("g++") is None:
        pytest.skip("there is no C++ compiler")
    shutil.copy(root / "tests" / "stranger_c" / "program.c", tmp_path)
    # Options hold for the files after them: the source twice would be one too many, so it stands last but for libraries.
    program = compiler(tmp_path / "program.c", tmp_path / "program", *options, "-x", "none", f"-L{library}",
                       f"-Wl,-rpath,{library}", f"-lpython{sysconfig.get_config_var('LDVERSION')}",
                       *shlex.split(sysconfig.get_config_var("LIBS") or ""),
                       *shlex.split(sysconfig.get_config_var("SYSLIBS") or ""),
                       *shlex.split(sysconfig.get_config_var("LINKFORSHARED") or ""))     # a library of Python that is static
    done = subprocess.run([program, sys.executable], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    system = hdsim.load("billiards5")
    first = system.peek()
    contacts, hits, impulse = right_hits(system, 1000)
    assert done.stdout.splitlines() == [
        f"{first.kind} at {first.time:g}: discs {first.particles[0]} and {first.particles[1]}",
        f"{contacts - 1} contacts up to 1000, {hits} with the right wall, impulse {impulse:.17g}",
        "refused: ValueError: radius is -1.0; it must be >= 0",
        "refused: FileFormatError: lines:2: segment: expected 4 numbers, both ends, found 3", "2 obstacles at 1000",
        *spheres_of_the_program()]


def spheres_of_the_program():
    """What the program in C prints about its spheres, from Python."""
    system = CollisionSystem.from_arrays([(.25, .25, .25), (.75, .75, .75)], [(1., 1, 1), (0, 0, 0)], .125, [1., 3.],
                                         box=Box(1, 1, depth=1))
    event = system.next_event()
    yield "spheres {} and {} at {:.6f}, normal {:.6f} {:.6f} {:.6f}".format(*event.particles, event.time,
                                                                            *event.contacts[0].normal)
    yield "refused: ValueError: add is for two dimensions; this system has three: use add_in"
    system.add(Sphere((.75, .25, .5), (0, 0, 1), .125, 1.))
    system.simulate(10.)
    yield "the third of 3 axes: " + " ".join(f"{z:.17g}" for z in system.positions[:, 2])


def test_the_table_does_what_the_methods_do(table):
    """create, add, simulate, step, next_event, count, time, arrays and hash, against the same in Python."""
    ffi, api = table
    positions, velocities = [(.2, .3), (.7, .4)], [(1., .25), (-.5, .125)]
    twin = CollisionSystem.from_arrays(positions, velocities, [.05, .1], [1., 2.], box=Box(2, 1, (False, True)))
    system = api.create(2, [.2, .3, .7, .4], [1, .25, -.5, .125], [.05, .1], [1, 2], 2, 1, 0, 1)
    assert api.add(system, 1.5, .5, 0, 0, .1, 3) == twin.add(Particle(1.5, .5, 0, 0, .1, 3)) == 2
    assert api.simulate(system, 2, -1, -1) == twin.simulate(2) > 0
    assert api.simulate(system, 1e9, 3, -1) == twin.simulate(1e9, max_events=3)
    assert api.step(system, 2.5, -1, -1) == twin.step(2.5)
    event = ffi.new("const hdsim_event **")
    for _ in range(10):
        happened = twin.next_event()
        assert api.next_event(system, event) == 1
        assert (event[0].time, event[0].contact.i) == (happened.time, happened.particles[0])
        assert event[0].contacts == ffi.addressof(event[0], "contact")
        assert [event[0].contact.a.vx, event[0].contact.a.vy] == twin.velocities[happened.particles[0]].tolist()
    assert (api.count(system), api.time(system)) == (3, twin.time)
    out, number = ffi.new("double[6]"), ffi.new("uint64_t *")
    for name in ("positions", "velocities"):
        assert getattr(api, name)(system, out, 3) == 0 and list(out) == getattr(twin, name).ravel().tolist()
    for name in ("radii", "masses"):
        assert getattr(api, name)(system, out, 3) == 0 and list(out[0:3]) == getattr(twin, name).tolist()
    assert api.hash(system, number) == 0 and f"{number[0]:016x}" == twin.hash()
    assert ffi.string(api.error_text()) == b""
    api.free(system), api.free(ffi.NULL)


def test_next_event_tells_timers_and_the_end(table):
    """Timers of Python have a kind and a time and no contacts; where nothing will ever happen, NULL."""
    ffi, api = table
    python = CollisionSystem([Particle(.5, .5, 0, 0, .1, 1)])
    system = api.from_python(ffi.cast("void *", id(python)))
    event = ffi.new("const hdsim_event **")
    assert api.next_event(system, event) == 0 and event[0] == ffi.NULL
    timers = [python.on_timer(lambda event: None, every=2.), python.on_redraw(lambda event: None, every=3.)]
    for time_, kind in ((2, 16), (3, 8), (4, 16)):
        assert api.next_event(system, event) == 1
        assert (event[0].time, event[0].kind, event[0].contact_count) == (time_, kind, 0)
    assert len(timers) == 2
    again = api.to_python(system)
    assert int(ffi.cast("intptr_t", again)) == id(python)
    api.free(ffi.cast("hdsim_system *", again)), api.free(system)


def test_failures_leave_a_message_and_change_nothing(table):
    """Illegal values and wrong arguments are refused with the messages of Python; the next legal call clears the message."""
    ffi, api = table
    null, nan, inf = ffi.NULL, float("nan"), float("inf")
    system = api.load(b"billiards5")
    on = ffi.callback("int(const hdsim_event *, void *)", lambda event, data: 0)
    before, after, out = ffi.new("uint64_t *"), ffi.new("uint64_t *"), ffi.new("double[2]")
    api.hash(system, before)
    one = [[.5, .5], [0, 0], [.1], [1.]]
    for call, answer, text in [
        (lambda: api.create(1, [nan, .5], *one[1:], 1, 1, 0, 0), null,
         "ValueError: disc 0: position is [nan, 0.5]; it must be finite"),
        (lambda: api.create(1, one[0], [inf, 0], *one[2:], 1, 1, 0, 0), null, "ValueError: disc 0: velocity is [inf, 0.0]"),
        (lambda: api.create(1, [.05, .5], *one[1:], 1, 1, 0, 0), null,
         "NoRoomError: disc 0 at [0.05, 0.5] with radius 0.1 reaches through the left wall"),
        (lambda: api.create(1, *one[:3], [0.], 1, 1, 0, 0), null, "ValueError: disc 0: mass is 0.0; it must be > 0"),
        (lambda: api.create(1, *one, -1, 1, 0, 0), null, "ValueError: box width is -1.0"),
        (lambda: api.create(1, null, *one[1:], 1, 1, 0, 0), null,
         "ValueError: positions is NULL; it must be an array of n = 1 rows"),
        (lambda: api.create(-1, *one, 1, 1, 0, 0), null, "ValueError: n is -1; it must be 0 ... 2147483647"),
        (lambda: api.create(2**40, *one, 1, 1, 0, 0), null, "ValueError: n is 1099511627776; it must be"),
        (lambda: api.load(b"no such thing"), null, "FileNotFoundError: no such thing: no such file"),
        (lambda: api.load(null), null, "ValueError: the source is NULL; it must be a path or the name of a data set"),
        (lambda: api.from_python(null), null, "ValueError: the system is NULL"),
        (lambda: api.from_python(ffi.cast("void *", id(one))), null, "TypeError: expected a CollisionSystem, got list"),
        (lambda: api.to_python(null), null, "ValueError: the system is NULL"),
        (lambda: api.add(system, .5, .5, 0, 0, -1, 1), -1, "ValueError: radius is -1.0; it must be >= 0"),
        (lambda: api.add(system, .5, .5, 0, 0, .4, 1), -1, "NoRoomError: discs 0 and 16 would overlap"),
        (lambda: api.add(null, .85, .5, 0, 0, .1, 1), -1, "ValueError: the system is NULL"),
        (lambda: api.simulate(system, nan, -1, -1), -1, "ValueError: until is nan"),
        (lambda: api.simulate(system, inf, -1, -1), -1, "ValueError: until is infinite and nothing can stop the run"),
        (lambda: api.simulate(system, 1, -2, -1), -1, "ValueError: max_events is -2; it must be >= 0"),
        (lambda: api.step(system, 1, -1, -2), -1, "ValueError: max_seconds is -2.0; it must be >= 0"),
        (lambda: api.next_event(null, ffi.new("const hdsim_event **")), -1, "ValueError: the system is NULL"),
        (lambda: api.count(null), -1, "ValueError: the system is NULL"),
        (lambda: api.positions(system, out, 1), -1, "ValueError: positions: there is room for n = 1, the system has 16"),
        (lambda: api.radii(system, null, 16), -1, "ValueError: out is NULL; it must be an array of n = 16 rows"),
        (lambda: api.hash(null, after), -1, "ValueError: the system is NULL"),
        (lambda: api.on_collision(system, null, null, 0), -1, "ValueError: the function is NULL"),
        (lambda: api.on_collision(system, on, null, 3), -1,
         "ValueError: kind is 3; it must be HDSIM_ANY, HDSIM_PAIR, HDSIM_WALL or HDSIM_MULTI, or, since 1.1, HDSIM_PASS"),
        (lambda: api.add_obstacles(system, null), -1, "ValueError: lines is NULL; it must be lines of obstacles"),
        (lambda: api.add_obstacles(null, b"segment 0 0 1 1"), -1, "ValueError: the system is NULL"),
        (lambda: api.add_obstacles(system, b"segment 0 0 1 1\ncircle 0 0 -1"), -1,
         "FileFormatError: lines:2: Circle: radius is -1.0; it must be positive"),
        (lambda: api.add_obstacles(system, b"segment 0 0 1e-9 0\ncircle .5 .5 .45"), -1, "NoRoomError: disc 0 at "),
        (lambda: api.add_obstacles(system, b"segment 0 0 1 1 name=\xff"), -1, "FileFormatError: lines:1: expected UTF-8 text"),
        (lambda: api.off_collision(system, on, null), -1, "ValueError: this function is not registered with this data"),
    ]:
        assert call() == answer
        assert ffi.string(api.error_text()).decode().startswith(text)
    assert np.isnan(api.time(null)) and ffi.string(api.error_text()) == b"ValueError: the system is NULL"
    assert api.time(system) == 0 and ffi.string(api.error_text()) == b""
    assert api.hash(system, after) == 0 and before[0] == after[0]
    api.free(system)


def test_obstacles_and_devices_through_the_table(table):
    """add_obstacles, the obstacle of an event and of a device, and on_collision for devices; against the same in Python."""
    ffi, api = table
    lines = "segment .5 0 .5 .45 until=.3\ncircle .5 .8 .1"
    twin = CollisionSystem.from_arrays([(.2, .3), (.7, .7)], [(1., .25), (-.5, .125)], [.05, .1], 1.)
    system = api.create(2, [.2, .3, .7, .7], [1, .25, -.5, .125], [.05, .1], [1, 1], 1, 1, 0, 0)
    assert api.add_obstacles(system, lines.encode()) == twin.add_obstacles(lines) == len(twin.obstacles) == 2
    assert api.add_obstacles(system, b"") == twin.add_obstacles("\n") == 2
    seen, event = [], ffi.new("const hdsim_event **")
    on = ffi.callback("int(const hdsim_event *, void *)",
                      lambda e, data: seen.append((e.time, e.kind, e.contact_count, e.obstacle)) or 0)
    assert api.on_collision(system, on, ffi.NULL, 64) == 0
    for _ in range(30):
        happened = twin.next_event()
        assert api.next_event(system, event) == 1
        assert (event[0].time, event[0].contact_count) == (happened.time, len(happened.contacts))
        assert event[0].kind == {"pair": 1, "wall": 2, "multi": 4, "device": 64}[happened.kind]
        obstacles = [c.obstacle for c in happened.contacts if c.obstacle is not None]
        assert event[0].obstacle == (happened.number if happened.kind == "device" else obstacles[0] if obstacles else -1)
        if obstacles:
            assert event[0].contact.j == -5 - obstacles[0] and event[0].contact.b.mass == 0
    assert seen == [(.3, 64, 0, 0)]
    number = ffi.new("uint64_t *")
    assert api.hash(system, number) == 0 and f"{number[0]:016x}" == twin.hash()
    assert api.add_obstacles(system, b"box 1 1\nspecies 1 1 4\nsegment 0 .99 .01 .99 species=4") == 3
    again = api.to_python(system)
    python = ctypes.cast(int(ffi.cast("intptr_t", again)), ctypes.py_object).value
    assert python.species.tolist() == [0, 4] and python.obstacles[2].species == 4
    api.free(ffi.cast("hdsim_system *", again)), api.free(system)


def test_obstacles_that_move_through_the_table(table):
    """Velocities, motions and coefficients are keys of the lines; events tell which obstacle hits. Against the same in Python."""
    ffi, api = table
    lines = ("segment .75 0 .75 1 velocity=-.5,0 restitution=.5\n"
             "circle .5 .9 .05 motion=0:0,-.25;1:0,.25 period=2\nline .05 0 1 0 restitution=0")
    twin = CollisionSystem.from_arrays([(.25, .5)], [(1., 0.)], [.0625], 2.)
    system = api.create(1, [.25, .5], [1, 0], [.0625], [2], 1, 1, 0, 0)
    assert api.add_obstacles(system, lines.encode()) == twin.add_obstacles(lines) == 3
    event = ffi.new("const hdsim_event **")
    for obstacle, vx in ((0, -1.25), (2, 0.), (0, -.75)):
        happened = twin.next_event()
        assert api.next_event(system, event) == 1
        contact = event[0].contact
        assert (event[0].time, event[0].obstacle, contact.j) == (happened.time, obstacle, -5 - obstacle)
        assert contact.impulse == happened.contacts[0].impulse and contact.a.vx == pytest.approx(vx, abs=1e-15)
    assert api.add_obstacles(system, b"segment 0 0 1 1 velocity=1") == -1 and "velocity" in ffi.string(api.error_text()).decode()
    assert api.add_obstacles(system, b"segment 0 0 1 1 restitution=2") == -1 and "restitution" in ffi.string(
        api.error_text()).decode()
    api.free(system)


def test_functions_are_registered_and_ended_through_the_table(table):
    """By function and data, for a kind."""
    ffi, api = table
    seen = []
    on = ffi.callback("int(const hdsim_event *, void *)", lambda event, data: seen.append(int(ffi.cast("int", data))) or 0)
    system = api.load(b"billiards5")
    assert api.on_collision(system, on, ffi.cast("void *", 1), 1) == api.on_collision(system, on, ffi.cast("void *", 2), 2) == 0
    api.simulate(system, 100, -1, -1)
    kinds = [event.kind for event in hdsim.load("billiards5").events(100)]
    twin_pairs, twin_walls = (sum(kind in (k, "multi") for kind in kinds) for k in ("pair", "wall"))
    assert (seen.count(1), seen.count(2)) == (twin_pairs, twin_walls - kinds.count("multi")) and twin_walls > 10
    assert api.off_collision(system, on, ffi.cast("void *", 1)) == 0
    del seen[:]
    api.simulate(system, 200, -1, -1)
    assert set(seen) == {2}
    api.free(system)


def test_errors_become_python_exceptions_where_python_is(table):
    """raise_error() sets the exception itself; without an error it is a SystemError."""
    ffi, api = table
    raise_error = ctypes.PYFUNCTYPE(ctypes.py_object)(int(ffi.cast("intptr_t", api.raise_error)))
    api.simulate(ffi.NULL, 1, -1, -1)
    with pytest.raises(ValueError, match="the system is NULL"):
        raise_error()
    assert ffi.string(api.error_text()) == b""
    with pytest.raises(SystemError, match="there is no error to raise"):
        raise_error()


def test_errors_belong_to_their_thread(table):
    """Another thread's failure is not seen here, nor a message too long cut in half of memory."""
    ffi, api = table
    api.load(b"x" * 5000)
    mine = ffi.string(api.error_text())
    assert mine.startswith((b"OSError", b"FileNotFoundError"))
    assert len(mine) <= 1023
    theirs = []
    thread = threading.Thread(target=lambda: (theirs.append(ffi.string(api.error_text())), api.count(ffi.NULL)))
    thread.start(), thread.join()
    assert theirs == [b""] and ffi.string(api.error_text()) == mine


def test_two_threads_on_one_system_get_an_error(table, library):
    """From C as from Python."""
    ffi, api = table
    flags = np.zeros(2, dtype=np.int64)
    system = api.load(b"billiards5")
    wait = ffi.cast("hdsim_on_event", ctypes.cast(library.wait_for, ctypes.c_void_p).value)
    assert api.on_collision(system, wait, ffi.cast("void *", flags.ctypes.data), 0) == 0
    run = threading.Thread(target=lambda: api.simulate(system, 100, -1, -1))
    run.start()
    while not flags[0]:
        time.sleep(.001)
    for call in (lambda: api.simulate(system, 100, -1, -1), lambda: api.add(system, .1, .1, 0, 0, .01, 1),
                 lambda: api.positions(system, ffi.new("double[32]"), 16)):
        assert call() == -1 and b"running" in ffi.string(api.error_text())
    flags[1] = 1
    run.join(10)
    assert api.time(system) > 0
    api.free(system)


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_control_c_is_a_failed_run(table):
    """KeyboardInterrupt as the error; the system is whole and goes on to the same end."""
    ffi, api = table
    python, twin = gas(100), gas(100)
    system = api.from_python(ffi.cast("void *", id(python)))

    def ring(*_):
        raise KeyboardInterrupt
    previous = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, .05)
        assert api.simulate(system, 1e9, -1, -1) == -1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert ffi.string(api.error_text()).startswith(b"KeyboardInterrupt")
    python._engine.check()
    twin.simulate(max_events=python.statistics["events"])
    assert trajectory(python) == trajectory(twin)
    api.free(system)


def test_a_stop_of_python_stops_a_run_of_c(table):
    """Callbacks of both sides work together on one system."""
    ffi, api = table
    python = gas()
    python.on_collision(lambda event: STOP if event.time > .25 else None)
    system = api.from_python(ffi.cast("void *", id(python)))
    assert api.simulate(system, 10, -1, -1) > 0 and .25 < python.time == api.time(system) < .5
    api.free(system)


# The page

@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "embedding.md").read_text()


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def test_the_page_shows_the_example_packages_as_they_are(page, root):
    """Every block of Cython, toml and C is text of a file that is built and run here; the commands are those of CI."""
    tests = root / "tests"
    shown = {"cython": [tests / "stranger" / "stranger.pyx"], "toml": [tests / "stranger" / "pyproject.toml"],
             "c": [tests / "stranger_c" / "program.c"], "sh": [root / ".ci" / "run"]}
    assert set(re.findall(r"^```(\w+)$", page, re.M)) == {*shown, "python"}
    for language, (file,) in shown.items():
        found = blocks(page, language)
        assert len(found) == {"cython": 6, "toml": 1, "c": 4, "sh": 2}[language]
        for block in found:
            if "fast" in block or "./stranger" in block:     # the next test builds it, and test_embedding_page.py
                continue
            text = file.read_text()
            assert all(line.strip() in text for line in block.splitlines()) if language == "sh" else block in text
    assert (tests / "stranger" / "setup.py").read_text() == next(b for b in blocks(page, "python") if not b.startswith(">>>"))


def test_the_python_of_the_page_does_what_it_prints(page, compiler, tmp_path, monkeypatch):
    """With the library that it shows; numba's part where there is numba."""
    pytest.importorskip("cffi")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fast.c").write_text(next(b for b in blocks(page, "c") if "fast" in b))
    compiler("fast.c", "fast.so", "-shared", "-fPIC")
    sessions = [b for b in blocks(page, "python") if b.startswith(">>>")]
    assert len(sessions) == 4
    if importlib.util.find_spec("numba") is None:
        sessions[:2] = [">>> import ctypes\n>>> import hdsim\n", ""]
    for block in ("".join(sessions[:3]), sessions[3]):
        example = doctest.DocTestParser().get_doctest(block, {}, "embedding.md", "embedding.md", 0)
        assert doctest.DocTestRunner().run(example).failed == 0
