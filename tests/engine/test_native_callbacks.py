"""Callbacks in machine code: which forms are taken, what they receive, how they stop a run and fail."""
import ctypes
import gc
import pickle
import re
import threading
import time
import unittest.mock

import numpy as np
import pytest
from scenes import SCENES, at_most, gas, state, trajectory, unchanged

import hdsim
from hdsim import Particle
from hdsim.system.native import CONTACT, EVENT


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever; compilers may take their time."""
    with at_most(120):
        yield


# What needs a compiler is built once.

def with_data(function, data, signature=None):
    """A capsule: this function of a library, and the address of an array, which lives for ever, or NULL."""
    LIVE.append(data)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = SIGNATURE if signature is None else NAMES.setdefault(signature, signature)       # a capsule keeps no copy of its name
    capsule = new(ctypes.cast(function, ctypes.c_void_p), name, None)
    set_context = ctypes.pythonapi.PyCapsule_SetContext
    set_context.restype, set_context.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_void_p]
    set_context(capsule, None if data is None else data.ctypes.data)
    return capsule


LIVE = []
NAMES = {}
SIGNATURE = b"int (const hdsim_event *, void *)"
POINTER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def event_at(address):
    return np.frombuffer((ctypes.c_char * EVENT.itemsize).from_address(address), EVENT)[0]


# What a callback in machine code may be

class NumbaCfunc:
    """What a numba.cfunc shows of itself; test_numba_is_called has real ones, where there is numba."""

    __module__ = "numba.core.ccallback"

    def __init__(self, function, *signature):
        class Signature:
            return_type, *args = signature

        self.function, self._sig = function, Signature
        self.native_name, self.address = "count", ctypes.cast(function, ctypes.c_void_p).value


def low_level(function):
    return pytest.importorskip("scipy").LowLevelCallable(function)


def of_cffi(function, signature="int(*)(void *, void *)"):
    ffi = pytest.importorskip("cffi").FFI()
    ffi.cdef("typedef struct hdsim_event hdsim_event;")
    return ffi.cast(signature, ctypes.cast(function, ctypes.c_void_p).value)


class SomeStructure(ctypes.Structure):
    _fields_ = [("time", ctypes.c_double)]


FORMS = {
    "ctypes library": lambda f: f,
    "ctypes pointer": lambda f: ctypes.cast(f, POINTER),
    "ctypes pointer to a structure": lambda f: ctypes.cast(f, ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(SomeStructure), ctypes.c_void_p)),
    "capsule": lambda f: with_data(f, None),
    "LowLevelCallable of ctypes": low_level,
    "LowLevelCallable of a capsule": lambda f: low_level(with_data(f, None)),
    "LowLevelCallable of cffi": lambda f: low_level(of_cffi(f)),
    "cffi": of_cffi,
    "cffi with the type": lambda f: of_cffi(f, "int(*)(const hdsim_event *, void *)"),
    "numba": lambda f: NumbaCfunc(f, "int32", "void*", "void*"),
    "numba with a record": lambda f: NumbaCfunc(f, "int32", "Record(size[type=int32;offset=0;alignment=4];4;True)*", "void*"),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_are_called_once_per_event(form, library):
    """And the run is what it is without them, bit for bit."""
    system, twin = gas(), gas()
    subscription = system.on_collision(FORMS[form](library.count_here))
    assert system.simulate(1) == twin.simulate(1)
    assert library.counted_here() == system.statistics["events"] > 100
    assert state(system) == state(twin)
    subscription.cancel(), subscription.cancel()
    system.simulate(2)
    assert library.counted_here() == 0


def test_numba_is_called(library):
    """A real cfunc, with a record and with void pointers, counts pairs and sums up their impulses."""
    numba = pytest.importorskip("numba")
    total = np.zeros(2)
    system, twin = gas(), gas()

    @numba.cfunc("int32(voidptr, voidptr)")
    def add_up(event, data):
        e = numba.carray(event, 1, EVENT)[0]
        numba.carray(data, 2, np.float64)[0] += 1
        numba.carray(data, 2, np.float64)[1] += e.contact.impulse
        return 0

    @numba.cfunc(numba.types.int32(numba.types.CPointer(numba.from_dtype(EVENT)), numba.types.voidptr))
    def stop(event, data):
        return numba.carray(event, 1)[0].time > .5

    low = pytest.importorskip("scipy").LowLevelCallable(add_up.ctypes, user_data=ctypes.c_void_p(total.ctypes.data))
    system.on_collision(low, kind="pair")
    system.on_collision(stop)
    system.simulate(10)
    assert .5 < system.time < 1
    impulses = [event.impulse for event in twin.events(system.time) if event.kind == "pair"]
    assert total[0] == len(impulses) and total[1] == pytest.approx(sum(impulses), rel=1e-13)


@pytest.mark.parametrize("callback, message", [
    (lambda f: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda e: 0),
     r"signature 'int \(void \*\)'; it must be 'int \(const hdsim_event \*, void \*\)', or the same with hdsim_event_in: "
     "restype = ctypes.c_int"),
    (lambda f: ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(print), r"signature 'void \(void \*, void \*\)'"),
    (lambda f: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.c_void_p)(print), r"'int \(c_double, void \*\)'"),
    (lambda f: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.c_void_p)(print),
     r"'int \(LP_c_int, void \*\)'"),
    (lambda f: ctypes.pythonapi.Py_IsInitialized, r"signature 'int \(\)'.*argtypes = \[ctypes.c_void_p, ctypes.c_void_p\]"),
    (lambda f: ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(print),
     "expects the GIL .*use CDLL or CFUNCTYPE"),
    (lambda f: POINTER(), "null pointer"),
    (lambda f: hdsim._embedding._C_API, r"signature 'hdsim\._embedding\._C_API'; .*, as the name of the PyCapsule"),
    (lambda f: low_level(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)(print)),
     r"'double \(void \*, void \*\)'"),
    (lambda f: of_cffi(f, "int(*)(int, void *)"), r"signature 'int ?\(int, void \*\)'.*ffi.addressof"),
    (lambda f: of_cffi(f, "void *"), r"signature 'void \*'"),
    (lambda f: NumbaCfunc(f, "int64", "void*", "void*"), r"'int64 \(void \*, void \*\)'.*int32\(voidptr, voidptr\)"),
    (lambda f: NumbaCfunc(f, "int32", "float64*", "void*"), r"'int \(float64\*, void \*\)'"),
])
def test_other_signatures_are_refused(callback, message, library):
    """TypeError that says what was found and what would be right; nothing has changed."""
    import hdsim._embedding  # noqa: F401

    system = gas()
    callback = callback(library.count_here)
    with unchanged(system), pytest.raises(TypeError, match=message):
        system.on_collision(callback)
    assert system.subscriptions == ()


def test_recognising_them_imports_nothing(elsewhere):
    """ctypes, cffi, numba and scipy are not loaded by on_collision (numpy itself may have loaded ctypes)."""
    code = """
import sys, numpy
before = set(sys.modules)
import hdsim
hdsim.load("billiards5").on_collision(print)
print({"ctypes", "_cffi_backend", "scipy", "numba"} & (set(sys.modules) - before))"""
    assert elsewhere("-c", code).strip() == "set()"


def test_a_callable_with_any_attribute_is_a_python_callable():
    """A mock, for example."""
    callback = unittest.mock.Mock(return_value=None)
    system = gas()
    system.on_collision(callback)
    system.simulate(.1)
    assert callback.call_count == system.statistics["events"] > 10


def test_the_code_lives_as_long_as_the_subscription():
    """Only the subscription holds a reference to the callback."""
    seen = []
    system = gas()
    system.on_collision(POINTER(lambda event, data: seen.append(1) or 0))
    gc.collect()
    system.simulate(.5)
    assert len(seen) == system.statistics["events"]


# What a callback receives

@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
def test_native_callbacks_receive_what_python_callbacks_receive(scene, mode, library):
    """Time, kind, contacts with normal and impulse, and the states of their discs as the arrays show them right after the
    event: every bit, for all events."""
    system, twin = SCENES[scene](collisions=mode), SCENES[scene](collisions=mode)
    events, contacts = np.zeros(400, EVENT), np.zeros(1600, CONTACT)
    records = np.array([0, 0, events.ctypes.data, contacts.ctypes.data])
    system.on_collision(with_data(library.record, records))
    system.simulate(max_events=400)
    assert records[1] == 400
    k = 0
    for record, event in zip(events, twin.events()):
        assert record["size"] == EVENT.itemsize and record["time"] == event.time
        assert record["kind"] == {"pair": 1, "wall": 2, "multi": 4}[event.kind]
        assert record["contact_count"] == len(event.contacts) and record["contact"] == contacts[k]
        positions, velocities = twin.positions, twin.velocities
        for contact in event.contacts:
            wall = contact.j is None
            j = {"left": -4, "right": -3, "bottom": -2, "top": -1}[contact.wall] if wall else contact.j
            expected = [(*positions[d], *velocities[d], twin.radii[d], twin.masses[d]) for d in (contact.i, contact.j)
                        if d is not None]
            assert contacts[k].tolist() == (contact.i, j, contact.impulse, *contact.normal, *expected, *[(0.,) * 6] * wall)
            k += 1
    assert k == records[0] and system.hash() == twin.hash()


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("kind", ["pair", "wall", "multi", None])
def test_kinds_are_those_of_python_callbacks(scene, kind, library):
    """Called for the same events, alone and beside a Python callback for other ones."""
    seen = np.zeros(3, dtype=np.int64)
    for k, other in enumerate((None, "pair", "wall")):
        system = SCENES[scene]()
        system.on_collision(with_data(library.count, seen[k:]), kind=kind)
        if k:
            system.on_collision(lambda event: None, kind=other)
        python = 0
        twin = SCENES[scene]()

        def count(event):
            nonlocal python
            python += 1
        twin.on_collision(count, kind=kind)
        system.simulate(max_events=500), twin.simulate(max_events=500)
        assert seen[k] == python and trajectory(system) == trajectory(twin)


def test_python_and_native_callbacks_go_in_order_of_registration():
    """Those that an event concerns, whatever they are; next_event and events call them too, peek does not."""
    for run in (lambda s: s.simulate(2), lambda s: list(s.events(2)), lambda s: [s.next_event() for _ in range(60)]):
        system = gas(20)
        calls = []

        def log(name, answer):
            return lambda *_: calls.append(name) or answer
        system.on_collision(log("a", None))
        system.on_collision(POINTER(log("b", 0)), kind="pair")
        system.on_collision(log("c", None), kind="wall")
        system.on_collision(POINTER(log("d", 0)))
        system.peek()
        assert calls == []
        run(system)
        text = "".join(calls)
        pairs, walls = text.count("abd"), text.count("acd")
        assert re.fullmatch("(abd|acd)+", text) and pairs + walls == system.statistics["events"] > 20 and min(pairs, walls) > 0


# Stopping, failing, threads

def test_it_stops_the_run_at_its_event(library):
    """The time is that of the event, and the run goes on as if it had not been interrupted."""
    system, twin = gas(), gas()
    left = np.array([17])
    system.on_collision(with_data(library.countdown, left), kind="pair")
    later = np.zeros(1, dtype=np.int64)
    system.on_collision(with_data(library.count, later), kind="pair")
    contacts = system.simulate(10)
    pairs = (event for event in twin.events() if event.kind == "pair")
    assert [next(pairs) for _ in range(17)][-1].time == system.time and later[0] == 17      # others are still called
    assert contacts == twin.statistics["events"] == system.statistics["events"] and system.hash() == twin.hash()
    assert system.simulate(10) >= 1 and left[0] == -1
    left[0] = 1 << 62
    system.simulate(2), twin.simulate(2)
    assert trajectory(system) == trajectory(twin)


def test_it_may_stop_where_python_listens_too(library):
    """An event that concerns both is the last if the native one says so."""
    system = gas()
    seen = []
    system.on_collision(seen.append)
    system.on_collision(with_data(library.countdown, np.array([5])))
    system.simulate(10)
    assert len(seen) == 5 and system.time == seen[-1].time
    events = gas()
    events.on_collision(with_data(library.countdown, np.array([5])))
    assert len(list(events.events(10))) == 5


def test_it_can_stop_an_endless_run(library):
    """Infinity is allowed with a subscription, native or not."""
    system = gas()
    system.on_collision(with_data(library.countdown, np.array([100])))
    system.simulate()
    assert system.statistics["events"] == 100


@pytest.mark.parametrize("beside", [False, True])
def test_an_exception_that_it_sets_comes_out_of_the_run(beside, library):
    """The system is whole, at that event; with a Python callback beside it too."""
    system, twin = gas(), gas()
    system.on_collision(getattr(library, "raise"), kind="pair")
    if beside:
        system.on_collision(lambda event: None)
    first = next(event for event in twin.events() if event.kind == "pair")
    with pytest.raises(LookupError, match=f"disc {first.particles[0]} is not wanted"):
        system.simulate(10)
    system._engine.check()
    assert trajectory(system) == trajectory(twin)
    system.subscriptions[0].cancel()
    system.simulate(1), twin.simulate(1)
    assert trajectory(system) == trajectory(twin)


def test_the_gil_is_released_around_it(library):
    """Another thread gets on with Python while it works."""
    flags = np.zeros(2, dtype=np.int64)
    system = gas()
    system.on_collision(with_data(library.wait_for, flags))
    run = threading.Thread(target=system.simulate, args=(1,))
    run.start()
    while not flags[0]:
        time.sleep(.001)
    with pytest.raises(RuntimeError, match="running"):      # a second thread is refused
        system.positions
    flags[1] = 1
    run.join(10)
    assert not run.is_alive() and system.statistics["events"] == 1


def test_a_native_callback_cannot_use_the_running_system():
    """Every call is refused with RuntimeError, and the run goes on unchanged."""
    system, twin = gas(), gas()
    calls = [lambda: system.positions, lambda: system.simulate(5), lambda: system.add(Particle(.5, .5, 0, 0, 0, 1)),
             lambda: system.remove(0), lambda: system.reverse(), lambda: system.peek(), lambda: system.copy(),
             lambda: system.edit().__enter__(), lambda: system.on_timer(print, 1.), lambda: system.observe(hdsim.Pressure())]
    refused = []

    def use(event, data):
        try:
            calls[len(refused)]()
        except RuntimeError as error:
            assert "running" in str(error)
            refused.append(error)
        return len(refused) == len(calls)
    system.on_collision(POINTER(use))
    system.simulate(10)
    assert len(refused) == len(calls)
    twin.simulate(max_events=len(calls))
    assert trajectory(system) == trajectory(twin)
    system._engine.check()


def test_it_may_cancel_itself_and_register_others():
    """At once, and for the next run."""
    system = gas()
    calls = []

    def once(event, data):
        subscription.cancel()
        calls.append("once")
        system.on_collision(POINTER(lambda event, data: calls.append("other") or 1))
        return 0
    subscription = system.on_collision(POINTER(once))
    system.simulate(max_events=10)
    assert calls == ["once"]
    system.simulate(max_events=10)
    assert calls == ["once", "other"]


def test_copies_have_none(library):
    """copy, pickle and checkpoints are without callbacks; a system that was edited in a timer keeps its own."""
    seen = np.zeros(1, dtype=np.int64)
    system = gas()
    system.on_collision(with_data(library.count, seen))
    for copy in (system.copy(), pickle.loads(pickle.dumps(system))):
        copy.simulate(.2)
    assert seen[0] == 0

    def edit(event):
        with system.edit() as draft:
            draft.velocities[0] *= -1
    system.on_timer(edit, every=.1)
    system.simulate(.55)
    assert seen[0] == system.statistics["events"] > 100
    system.copy().simulate(1)
    assert seen[0] == system.statistics["events"]
