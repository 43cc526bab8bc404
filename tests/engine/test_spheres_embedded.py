"""Three dimensions for callbacks in machine code and for programs in C: functions and structures of hdsim.h that end with _in."""
import ctypes

import numpy as np
import pytest
from scenes import SCENES, at_most, gas, unchanged
from spheres import MIXED, spheres, trajectory
from test_native_callbacks import POINTER, NumbaCfunc, low_level, of_cffi, with_data

from hdsim import STOP, Box, CollisionSystem, Particle, Segment, Sphere
from hdsim.native import CONTACT, CONTACT_IN, EVENT, EVENT_IN, SIGNATURE, SIGNATURE_IN

WALLS = {"left": -4, "right": -3, "bottom": -2, "top": -1, "back": -2147483647, "front": -2147483646}
KINDS = {"pair": 1, "wall": 2, "multi": 4, "redraw": 8, "timer": 16, "pass": 32, "device": 64}
CUBE = Box(1, 1, depth=1)


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever; compilers may take their time."""
    with at_most(120):
        yield


def capsule(function, data=None):
    """A PyCapsule of a function that takes hdsim_event_in."""
    return with_data(function, data, SIGNATURE_IN.encode())


def meetings(**options):
    """Spheres that meet in rows, and walls in edges and corners: many events of several contacts."""
    x = [(.25, .5, .5), (.5, .5, .5), (.75, .5, .5), (.875, .875, .125)]
    return CollisionSystem.from_arrays(x, [(1., 0, 0), (0, 0, 0), (0, 0, 0), (1, 1, -1)], .125, box=CUBE, **options)


SPACES = {f"{''.join('wp'[axis] for axis in periodic)}": lambda periodic=periodic, **options: spheres(
    3, (3, 3, 3), (1., 1.25, .75), periodic, 3., **options) for periodic in MIXED} | {"meetings": meetings}


# What a function receives

def partner(contact):
    """The number of a contact's partner in hdsim.h."""
    return contact.j if contact.wall is None and contact.obstacle is None else (
        WALLS[contact.wall] if contact.obstacle is None else -5 - contact.obstacle)


def told(system, event):
    """What hdsim_event_in has of the event that the system has just had: time, kind, obstacle, and the fields of each contact."""
    def four(vector):
        return [*map(float, vector), 0., 0.][:4]

    def state_of(disc):
        return four(system.positions[disc]), four(system.velocities[disc]), system.radii[disc], system.masses[disc]

    contacts = [(c.i, partner(c), c.impulse, four(c.normal), state_of(c.i), ([0.] * 4, [0.] * 4, 0., 0.) if c.j is None
                 else state_of(c.j)) for c in event.contacts]
    obstacles = [c.obstacle for c in event.contacts[:1] if c.obstacle is not None]
    obstacle = event.number if event.kind == "device" else obstacles[0] if obstacles else -1
    return event.time, KINDS[event.kind], obstacle, contacts


def fields(contact):
    """The same of a CONTACT_IN."""
    def state_of(state):
        return state["position"].tolist(), state["velocity"].tolist(), float(state["radius"]), float(state["mass"])
    return (int(contact["i"]), int(contact["j"]), float(contact["impulse"]), contact["normal"].tolist(), state_of(contact["a"]),
            state_of(contact["b"]))


def recorded(system, function, most):
    """(events, contacts) of a run, as `told` has them, from the function of the library that records them."""
    events, contacts = np.zeros(most, EVENT_IN), np.zeros(8 * most, CONTACT_IN)
    records = np.array([0, 0, events.ctypes.data, contacts.ctypes.data])
    system.on_collision(capsule(function, records))
    system.simulate(max_events=most)
    assert records[1] == most and np.all(events["size"] == EVENT_IN.itemsize)
    ends = np.cumsum(events["contact_count"])
    assert ends[-1] == records[0]
    parts = np.split(contacts[:ends[-1]], ends[:-1])
    assert all(event["contact"].tobytes() == part[0].tobytes() for event, part in zip(events, parts))
    return [(float(e["time"]), int(e["kind"]), int(e["obstacle"]), [fields(c) for c in part]) for e, part in zip(events, parts)]


@pytest.mark.parametrize("scene", SPACES)
@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
def test_functions_receive_what_python_receives_in_space(scene, mode, library):
    """Time, kind, walls of all three axes, normals, impulses and the states right after the event: every bit, for all events."""
    system, twin = SPACES[scene](collisions=mode), SPACES[scene](collisions=mode)
    found = recorded(system, library.record_in, 200)
    assert found == [told(twin, event) for _, event in zip(range(200), twin.events())]
    assert trajectory(system) == trajectory(twin)
    if scene == "meetings":
        assert {len(contacts) for *_, contacts in found} >= ({1, 2, 3} if mode == "simultaneous" else {1})
    if scene == "www":
        assert {c[1] for *_, contacts in found for c in contacts} > set(WALLS.values())


@pytest.mark.parametrize("scene", SCENES)
def test_functions_receive_vectors_in_the_plane_too(scene, library):
    """What takes hdsim_event_in gets it from a system of discs, with zeros along the other axes; others beside it get theirs."""
    system, twin = SCENES[scene](), SCENES[scene]()
    events, contacts = np.zeros(200, EVENT), np.zeros(800, CONTACT)
    beside = np.array([0, 0, events.ctypes.data, contacts.ctypes.data])
    system.on_collision(with_data(library.record, beside))
    found = recorded(system, library.record_in, 200)
    assert found == [told(twin, event) for _, event in zip(range(200), twin.events())]
    assert beside[:2].tolist() == [sum(len(contacts) for *_, contacts in found), 200]
    assert events["time"].tolist() == [time for time, *_ in found] and np.all(events["size"] == EVENT.itemsize)


def test_obstacles_and_events_of_many_contacts_are_converted(library):
    """A disc that two others hit at once, and one that falls on an obstacle: several contacts, and the number of an obstacle."""
    def discs():
        return CollisionSystem.from_arrays([(.25, .5), (.5, .5), (.75, .5), (.125, .75)], [(1., 0), (0, 0), (-1., 0), (0, -1.)],
                                           .0625, obstacles=[Segment((.8, .05), (.9, .05)), Segment((.05, .25), (.2, .25))])
    system, twin = discs(), discs()
    found = recorded(system, library.record_in, 60)
    assert found == [told(twin, event) for _, event in zip(range(60), twin.events())]
    assert {len(contacts) for *_, contacts in found} >= {1, 3} and {obstacle for _, _, obstacle, _ in found} >= {-1, 1}


@pytest.mark.parametrize("kind", ["pair", "wall", "multi", None])
@pytest.mark.parametrize("scene", ["wpw", "meetings"])
def test_kinds_are_those_of_python(scene, kind, library):
    """Called for the same events, alone and beside a Python callback for other ones."""
    seen = np.zeros(3, dtype=np.int64)
    for k, other in enumerate((None, "pair", "wall")):
        system, twin, python = SPACES[scene](), SPACES[scene](), []
        system.on_collision(capsule(library.count_in, seen[k:]), kind=kind)
        if k:
            system.on_collision(lambda event: None, kind=other)
        twin.on_collision(lambda event: python.append(len(event.contacts)), kind=kind)
        system.simulate(max_events=200), twin.simulate(max_events=200)
        assert seen[k] == sum(python) and trajectory(system) == trajectory(twin)


# What a function may be

class Whole(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_double * (EVENT_IN.itemsize // 8))]


class Plane(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_double * (EVENT.itemsize // 8))]


def of_structure(function, structure):
    return ctypes.cast(function, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(structure), ctypes.c_void_p))


def numba_record(dtype):
    return f"Record(size[type=int32;offset=0;alignment=4];{dtype.itemsize};True)*"


def typed(function, name):
    ffi = pytest.importorskip("cffi").FFI()
    ffi.cdef(f"typedef struct {name} {name};")
    return ffi.cast(f"int(*)(const {name} *, void *)", ctypes.cast(function, ctypes.c_void_p).value)


VECTORS = {
    "capsule": capsule,
    "LowLevelCallable of a capsule": lambda f: low_level(capsule(f)),
    "ctypes pointer to the structure": lambda f: of_structure(f, Whole),
    "cffi with the type": lambda f: typed(f, "hdsim_event_in"),
    "numba with the record": lambda f: NumbaCfunc(f, "int32", numba_record(EVENT_IN), "void*"),
}
ANY = {"ctypes library": lambda f: f, "ctypes pointer": lambda f: ctypes.cast(f, POINTER), "cffi": of_cffi,
       "numba": lambda f: NumbaCfunc(f, "int32", "void*", "void*")}
TWO = {"capsule": lambda f: with_data(f, None), "cffi with the type": lambda f: typed(f, "hdsim_event"),
       "ctypes pointer to the structure": lambda f: of_structure(f, Plane),
       "numba with the record": lambda f: NumbaCfunc(f, "int32", numba_record(EVENT), "void*")}


@pytest.mark.parametrize("form", [*VECTORS, *ANY])
def test_all_forms_are_called_in_space(form, library):
    """Once for each event, and the run is what it is without them."""
    system, twin = SPACES["pwp"](), SPACES["pwp"]()
    subscription = system.on_collision((VECTORS | ANY)[form](library.count_here))
    assert system.simulate(1.) == twin.simulate(1.) and trajectory(system) == trajectory(twin)
    assert library.counted_here() == system.statistics["events"] > 50
    subscription.cancel()
    system.simulate(2.)
    assert library.counted_here() == 0


@pytest.mark.parametrize("form", [*VECTORS, *ANY, *(f"{form} of the plane" for form in TWO)])
def test_each_form_gets_the_structure_that_it_names(form, library):
    """In the plane: hdsim_event_in where the type says so, else hdsim_event. Its size tells."""
    sizes, system = [], gas()
    look = POINTER(lambda event, data: sizes.append(ctypes.c_int32.from_address(event).value) or 1)
    system.on_collision({**VECTORS, **ANY, **{f"{name} of the plane": make for name, make in TWO.items()}}[form](look))
    system.simulate(1)
    assert sizes == [(EVENT_IN if form in VECTORS else EVENT).itemsize]


@pytest.mark.parametrize("form", TWO)
def test_a_function_of_the_plane_is_refused_in_space(form, library):
    """In one line that names the other signature; nothing has changed."""
    system = SPACES["www"]()
    callback = TWO[form](library.count_here)
    with unchanged(system), pytest.raises(ValueError) as caught:
        system.on_collision(callback)
    assert system.subscriptions == () and str(caught.value) == (
        f"the callback has the signature '{SIGNATURE}', for two dimensions; this system has three: use '{SIGNATURE_IN}'")


def test_numba_is_called_in_space():
    """A real cfunc, with void pointers and with the record."""
    numba = pytest.importorskip("numba")
    total = np.zeros(2)
    system, twin = SPACES["www"](), SPACES["www"]()

    @numba.cfunc("int32(voidptr, voidptr)")
    def add_up(event, data):
        e = numba.carray(event, 1, EVENT_IN)[0]
        numba.carray(data, 2, np.float64)[0] += e.contact.impulse * abs(e.contact.normal[2])
        return 0

    @numba.cfunc(numba.types.int32(numba.types.CPointer(numba.from_dtype(EVENT_IN)), numba.types.voidptr))
    def stop(event, data):
        return numba.carray(event, 1)[0].time > .5

    system.on_collision(pytest.importorskip("scipy").LowLevelCallable(add_up.ctypes, ctypes.c_void_p(total.ctypes.data)), "wall")
    system.on_collision(stop)
    system.simulate(10)
    expected = [e.impulse * abs(e.contacts[0].normal[2]) for e in twin.events(system.time) if e.kind == "wall"]
    assert .5 < system.time < 1 and total[0] == pytest.approx(sum(expected), rel=1e-13)


# Stopping and failing

@pytest.mark.parametrize("scene", [SPACES["pww"], gas], ids=["space", "plane"])
def test_it_stops_the_run_at_its_event(scene, library):
    """By its return value; the run goes on as if it had not been interrupted, with a Python callback beside it too."""
    system, twin, left, seen = scene(), scene(), np.array([17]), []
    system.on_collision(capsule(library.countdown_in, left))
    system.on_collision(seen.append, kind="wall")
    system.simulate(10.)
    twin.simulate(max_events=17)
    assert left[0] == 0 and trajectory(system) == trajectory(twin) and len(seen) == system.statistics["wall_contacts"] > 0
    left[0] = 1 << 62
    system.simulate(2.), twin.simulate(2.)
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("scene", [SPACES["wpp"], gas], ids=["space", "plane"])
def test_an_exception_that_it_sets_comes_out_of_the_run(scene, library):
    """The system is whole, at that event."""
    system, twin = scene(), scene()
    system.on_collision(capsule(library.raise_in), kind="pair")
    first = next(event for event in twin.events() if event.kind == "pair")
    with pytest.raises(LookupError, match=f"disc {first.particles[0]} is not wanted"):
        system.simulate(10.)
    system._engine.check()
    assert trajectory(system) == trajectory(twin)
    system.subscriptions[0].cancel()
    system.simulate(1.), twin.simulate(1.)
    assert trajectory(system) == trajectory(twin)


# The table

def text_of(table):
    ffi, api = table
    return ffi.string(api.error_text()).decode()


def arrays(ffi, system):
    """The arguments of create_in for the state of a system."""
    return (system.dimension, len(system), *(ffi.new("double[]", array.ravel().tolist()) for array in (
        system.positions, system.velocities, system.radii, system.masses)), list(system.box.lengths), list(system.box.periodic))


@pytest.mark.parametrize("make", [SPACES["wpw"], meetings, gas], ids=["space", "meetings", "plane"])
def test_the_table_does_what_the_methods_do(make, table):
    """create_in, dimension, add_in, next_event_in, positions_in and velocities_in, for discs too, against the same in Python."""
    ffi, api = table
    twin = make()
    twin = CollisionSystem.from_arrays(twin.positions, twin.velocities, twin.radii, twin.masses, box=twin.box)
    system = api.create_in(*arrays(ffi, twin))
    assert (api.dimension(system), api.count(system)) == (twin.dimension, len(twin))
    x, v = [1e-3] * twin.dimension, [.5, -.25, .125][:twin.dimension]
    assert api.add_in(system, x, v, 1e-4, 2.) == twin.add(
        Sphere(x, v, 1e-4, 2.) if twin.dimension == 3 else Particle(*x, *v, 1e-4, 2.)) == len(twin) - 1
    event, number = ffi.new("const hdsim_event_in **"), ffi.new("uint64_t *")
    for _ in range(100):
        happened = twin.next_event()
        assert api.next_event_in(system, event) == 1 and event[0].size == EVENT_IN.itemsize
        contacts = np.frombuffer(ffi.buffer(event[0].contacts, event[0].contact_count * CONTACT_IN.itemsize), CONTACT_IN)
        assert (event[0].time, event[0].kind, event[0].obstacle, list(map(fields, contacts))) == told(twin, happened)
        assert ffi.buffer(ffi.addressof(event[0], "contact"))[:] == contacts[:1].tobytes()
    out = ffi.new("double[]", len(twin) * twin.dimension)
    for name in ("positions", "velocities"):
        assert getattr(api, f"{name}_in")(system, out, len(twin)) == 0 and list(out) == getattr(twin, name).ravel().tolist()
    assert api.hash(system, number) == 0 and f"{number[0]:016x}" == twin.hash() and text_of(table) == ""
    api.free(system)


def test_a_system_may_be_empty_and_the_box_left_out(table):
    """No discs at first; the unit cube with walls by default."""
    ffi, api = table
    null, out = ffi.NULL, ffi.new("double[3]")
    for dimension in (2, 3):
        system = api.create_in(dimension, 0, null, null, null, null, null, null)
        assert api.dimension(system) == dimension and api.positions_in(system, null, 0) == 0
        assert api.add_in(system, [.5] * dimension, [1.] + [0.] * (dimension - 1), .125, 1.) == 0
        assert api.simulate(system, 1., -1, -1) == 1 and api.positions_in(system, out, 1) == 0
        assert list(out)[:dimension] == [.25] + [.5] * (dimension - 1)
        api.free(system)


def test_timers_and_the_end_in_space(table):
    """A timer has a kind, a time and no contacts; NULL where nothing will ever happen."""
    ffi, api = table
    for one in (Sphere((.5, .5, .5), (0, 0, 0), .1, 1), Particle(.5, .5, 0, 0, .1, 1)):
        python = CollisionSystem([one])
        system, event = api.from_python(ffi.cast("void *", id(python))), ffi.new("const hdsim_event_in **")
        assert api.next_event_in(system, event) == 0 and event[0] == ffi.NULL
        timer = python.on_timer(lambda event: None, every=2.)
        assert api.next_event_in(system, event) == 1
        assert (event[0].time, event[0].kind, event[0].contact_count, event[0].contacts, event[0].obstacle) == (
            2., 16, 0, ffi.NULL, -1)
        timer.cancel()
        api.free(system)


def test_devices_of_the_plane_are_told_with_vectors(table):
    """An obstacle that goes, to next_event_in and to a function."""
    ffi, api = table
    python = CollisionSystem.from_arrays([(.2, .3)], [(1., .25)], .05, 1.)
    python.add_obstacles("segment .5 0 .5 .45 until=.1")
    seen, system, event = [], api.from_python(ffi.cast("void *", id(python))), ffi.new("const hdsim_event_in **")
    on = ffi.callback("int(const hdsim_event_in *, void *)", lambda e, data: seen.append((e.time, e.kind, e.obstacle)) or 0)
    assert api.on_collision_in(system, on, ffi.NULL, 64) == 0 and api.next_event_in(system, event) == 1
    assert seen == [(event[0].time, event[0].kind, event[0].obstacle)] == [(.1, 64, 0)]
    api.free(system)


@pytest.mark.parametrize("make", [SPACES["www"], gas], ids=["space", "plane"])
def test_functions_are_registered_and_ended_through_the_table(make, table):
    """on_collision_in and off_collision_in, by function and data; a Python callback may stop a run of C."""
    ffi, api = table
    seen, python, twin = [], make(), make()
    on = ffi.callback("int(const hdsim_event_in *, void *)", lambda e, data: seen.append(e.contact.b.position[0]) or 0)
    system = api.from_python(ffi.cast("void *", id(python)))
    assert api.on_collision_in(system, on, ffi.cast("void *", 1), 1) == 0
    api.simulate(system, .25, -1, -1)
    assert len(seen) == sum(event.kind == "pair" for event in twin.events(.25)) > 5 and 0 < min(seen)
    assert api.off_collision_in(system, on, ffi.NULL) == -1
    assert text_of(table) == "ValueError: this function is not registered with this data"
    assert api.off_collision_in(system, on, ffi.cast("void *", 1)) == 0 and python.subscriptions == ()
    python.on_collision(lambda event: STOP)
    assert api.simulate(system, 10., -1, -1) >= 1 and python.time < 1
    api.free(system)


def test_old_functions_refuse_spheres_and_name_the_new_ones(table):
    """What has numbers of two axes; nothing is changed, and nothing written."""
    ffi, api = table
    python = SPACES["www"]()
    system, out, event = api.from_python(ffi.cast("void *", id(python))), ffi.new("double[81]"), ffi.new("const hdsim_event **")
    on = ffi.callback("int(const hdsim_event *, void *)", lambda event, data: 0)
    with unchanged(python):
        for name, arguments in [("positions", (out, 27)), ("velocities", (out, 27)), ("next_event", (event,)),
                                ("add", (.5, .2, 0, 0, .1, 1)), ("on_collision", (on, ffi.NULL, 0))]:
            assert getattr(api, name)(system, *arguments) == -1
            assert text_of(table) == f"ValueError: {name} is for two dimensions; this system has three: use {name}_in"
        assert api.add_obstacles(system, b"segment 0 0 1 1") == -1 and "dimension" in text_of(table)
    assert not any(out) and python.subscriptions == ()
    assert api.radii(system, out, 27) == 0 and list(out)[:27] == python.radii.tolist()
    api.free(system)


def test_failures_leave_a_message_and_change_nothing(table):
    """Wrong arguments of the new functions."""
    ffi, api = table
    null, nan = ffi.NULL, float("nan")
    python = SPACES["www"]()
    system, out = api.from_python(ffi.cast("void *", id(python))), ffi.new("double[81]")
    on = ffi.callback("int(const hdsim_event_in *, void *)", lambda event, data: 0)
    one = [[.5] * 3, [0.] * 3, [.1], [1.]]
    with unchanged(python):
        for call, answer, text in [
            (lambda: api.create_in(4, 1, [.5] * 4, [0.] * 4, [.1], [1.], null, null), null,
             "ValueError: dimension is 4; it must be 2 or 3"),
            (lambda: api.create_in(1, 1, *one, null, null), null, "ValueError: dimension is 1; it must be 2 or 3"),
            (lambda: api.create_in(3, 1, null, *one[1:], null, null), null,
             "ValueError: positions is NULL; it must be an array of n = 1 rows"),
            (lambda: api.create_in(3, -1, *one, null, null), null, "ValueError: n is -1; it must be 0 ... 2147483647"),
            (lambda: api.create_in(3, 1, *one, [1, 1, -1], null), null,
             "ValueError: box depth is -1.0; it must be positive and finite"),
            (lambda: api.create_in(3, 1, [.5, .5, nan], *one[1:], null, null), null,
             "ValueError: disc 0: position is [0.5, 0.5, nan]"),
            (lambda: api.create_in(3, 1, [.5, .5, .05], *one[1:], null, [1, 1, 0]), null,
             "NoRoomError: disc 0 at [0.5, 0.5, 0.05] with radius 0.1 reaches through the back wall"),
            (lambda: api.add_in(system, null, one[1], .1, 1), -1,
             "ValueError: position is NULL; it must be an array of 3 numbers"),
            (lambda: api.add_in(system, one[0], null, .1, 1), -1,
             "ValueError: velocity is NULL; it must be an array of 3 numbers"),
            (lambda: api.add_in(system, one[0], one[1], -1., 1), -1, "ValueError: radius is -1.0; it must be >= 0"),
            (lambda: api.add_in(system, one[0], one[1], .3, 1), -1, "NoRoomError: disc"),
            (lambda: api.add_in(null, *one[:2], .1, 1), -1, "ValueError: the system is NULL"),
            (lambda: api.dimension(null), -1, "ValueError: the system is NULL"),
            (lambda: api.next_event_in(null, ffi.new("const hdsim_event_in **")), -1, "ValueError: the system is NULL"),
            (lambda: api.positions_in(system, out, 26), -1,
             "ValueError: positions: there is room for n = 26, the system has 27"),
            (lambda: api.velocities_in(system, null, 27), -1, "ValueError: out is NULL; it must be an array of n = 27 rows"),
            (lambda: api.on_collision_in(system, null, null, 0), -1, "ValueError: the function is NULL"),
            (lambda: api.on_collision_in(system, on, null, 3), -1, "ValueError: kind is 3; it must be HDSIM_ANY, HDSIM_PAIR"),
            (lambda: api.off_collision_in(system, on, null), -1, "ValueError: this function is not registered with this data"),
        ]:
            assert call() == answer
            assert text_of(table).startswith(text)
    api.free(system)


# Programs that were built before

OLD = r"""
#include <Python.h>
#include "hdsim/hdsim.h"
static int count(const hdsim_event *event, void *data) { *(int64_t *)data += event->contact_count; return event->contact.i < 0; }
PyObject *run(PyObject *system) {
    const hdsim_api *hdsim = hdsim_import();
    hdsim_system *reference = hdsim ? hdsim->from_python(system) : NULL;
    int64_t counted = 0, contacts = -1;
    if (reference && hdsim->on_collision(reference, count, &counted, HDSIM_ANY) == 0) {
        contacts = hdsim->simulate(reference, 1.0, HDSIM_NO_LIMIT, HDSIM_NO_LIMIT);
        hdsim->off_collision(reference, count, &counted);
    } else if (hdsim) {
        hdsim->raise_error();
        hdsim->free(reference);
    }
    if (PyErr_Occurred()) return NULL;
    hdsim->free(reference);
    return Py_BuildValue("(LLii)", (long long)contacts, (long long)counted, HDSIM_ABI_MINOR, (int)hdsim->abi_minor);
}
"""


def test_a_program_that_was_built_against_1_1_goes_on(root, compiler, tmp_path):
    """Compiled with the header of then, it finds a table with more functions, and works; spheres are refused."""
    (tmp_path / "hdsim").mkdir()       # beside the source, so that it is the one that is found
    (tmp_path / "hdsim" / "hdsim.h").write_text((root / "tests" / "golden" / "hdsim-1.1.h").read_text())
    (tmp_path / "old.c").write_text(OLD)
    library = ctypes.PyDLL(str(compiler(tmp_path / "old.c", tmp_path / "old.so", "-shared", "-fPIC")))
    library.run.restype, library.run.argtypes = ctypes.py_object, [ctypes.py_object]
    system, twin = gas(), gas()
    contacts = twin.simulate(1.)
    assert library.run(system) == (contacts, contacts, 1, 2) and system.hash() == twin.hash() and system.subscriptions == ()
    with pytest.raises(ValueError, match="on_collision is for two dimensions; this system has three: use on_collision_in"):
        library.run(SPACES["www"]())


def test_what_the_header_of_1_1_has_stays_where_it_is(root, table):
    """Byte for byte: offsets and sizes of all structures, the names and values of all constants, the functions of the table."""
    ffi, _ = table
    old = pytest.importorskip("cffi").FFI()
    text = (root / "tests" / "golden" / "hdsim-1.1.h").read_text()
    old.cdef(text.split("/* -- declarations")[1].partition("*/")[2].split("/* -- end of declarations")[0])
    for name in ("hdsim_state", "hdsim_contact", "hdsim_event"):
        assert old.sizeof(name) == ffi.sizeof(name)
        assert [(f, of.offset, of.type.cname) for f, of in old.typeof(name).fields] == [
            (f, of.offset, of.type.cname) for f, of in ffi.typeof(name).fields]
    before, now = old.typeof("hdsim_api").fields, ffi.typeof("hdsim_api").fields
    assert [(f, of.offset, of.type.cname) for f, of in before] == [(f, of.offset, of.type.cname) for f, of in now[:len(before)]]
    assert [f for f, _ in now[len(before):]] == ["dimension", "create_in", "add_in", "next_event_in", "positions_in",
                                                 "velocities_in", "on_collision_in", "off_collision_in"]
    constants = {name: value for name, value in vars(old.dlopen(None)).items() if name.startswith("HDSIM_")}
    assert constants.items() <= vars(ffi.dlopen(None)).items()
