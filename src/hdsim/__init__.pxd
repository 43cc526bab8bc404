# cython: language_level=3, wraparound=False, cdivision=True
"""hdsim for Cython programs: `from hdsim cimport import_hdsim, System, system_load, system_simulate`.

A module that uses functions whose names begin with `system_` calls `import_hdsim()` once, at its top. These functions call
those of the table of hdsim.h, which describes them. They take the GIL where they need it, and raise the exceptions of the
Python methods of the same names. A System is a reference to a hdsim.CollisionSystem; release it with `system_free`. The
formulas and the queue are inline functions and need no `import_hdsim()`. docs/embedding.md is the guide.
"""
from cpython.ref cimport Py_DECREF, PyObject
from libc.stdint cimport int64_t, uint64_t

from hdsim.core.abi cimport (HDSIM_ABI_MAJOR, HDSIM_ABI_MINOR, HDSIM_ANY, HDSIM_BACK, HDSIM_BOTTOM, HDSIM_DEVICE,
                             HDSIM_FRONT, HDSIM_LEFT, HDSIM_MULTI, HDSIM_NO_LIMIT, HDSIM_OBSTACLE, HDSIM_PAIR, HDSIM_PASS,
                             HDSIM_REDRAW, HDSIM_RIGHT, HDSIM_SIGNATURE, HDSIM_SIGNATURE_IN, HDSIM_TIMER, HDSIM_TOP,
                             HDSIM_WALL, Api, Contact, ContactIn, Event, EventIn, OnEvent, OnEventIn, State, StateIn,
                             System, load_api)
from hdsim.core.pair cimport bounce_discs, time_to_disc, time_to_wall
from hdsim.core.queue cimport (NO_MATE, NO_PARTNER, Queue, queue_change, queue_clear, queue_create, queue_delete, queue_free,
                               queue_has, queue_insert, queue_key, queue_top, queue_top_key)


cdef extern from *:
    """
    static const hdsim_api *hdsim_loaded = NULL;    /* one for each module that calls import_hdsim() */
    """
    const Api* hdsim_loaded


cdef inline int import_hdsim() except -1:
    """Find the table of hdsim.h. ImportError if hdsim is missing, or if its table does not fit the one compiled against."""
    global hdsim_loaded
    hdsim_loaded = load_api()
    return 0


cdef inline const Api* api() except NULL nogil:
    """The table; RuntimeError before import_hdsim()."""
    if hdsim_loaded == NULL:
        with gil:
            raise RuntimeError("hdsim is used before import_hdsim(): call it once at the top of this module")
    return hdsim_loaded


cdef inline int fail() except -1 nogil:
    """Raise the error of the last call of a function of the table."""
    hdsim_loaded.raise_error()
    return -1


cdef inline System* system_create(int64_t n, const double* positions, const double* velocities, const double* radii,
                                  const double* masses, double width=1.0, double height=1.0, bint periodic_x=False,
                                  bint periodic_y=False) except NULL nogil:
    cdef System* system = api().create(n, positions, velocities, radii, masses, width, height, periodic_x, periodic_y)
    if system == NULL:
        fail()
    return system


cdef inline System* system_load(const char* source) except NULL nogil:
    cdef System* system = api().load(source)
    if system == NULL:
        fail()
    return system


cdef inline System* system_from_python(object collision_system) except NULL:
    cdef System* system = api().from_python(<PyObject*>collision_system)
    if system == NULL:
        fail()
    return system


cdef inline object system_to_python(System* system):
    cdef void* new = api().to_python(system)
    if new == NULL:
        fail()
    collision_system = <object><PyObject*>new
    Py_DECREF(collision_system)     # the assignment has made a second reference
    return collision_system


cdef inline void system_free(System* system) noexcept nogil:
    if system != NULL and hdsim_loaded != NULL:
        hdsim_loaded.free(system)


cdef inline int64_t system_add(System* system, double x, double y, double vx, double vy, double radius,
                               double mass) except -1 nogil:
    cdef int64_t i = api().add(system, x, y, vx, vy, radius, mass)
    return fail() if i < 0 else i


cdef inline int64_t system_add_obstacles(System* system, const char* lines) except -1 nogil:
    cdef int64_t count = api().add_obstacles(system, lines)
    return fail() if count < 0 else count


cdef inline int64_t system_simulate(System* system, double until, int64_t max_events=HDSIM_NO_LIMIT,
                                    double max_seconds=HDSIM_NO_LIMIT) except -1 nogil:
    cdef int64_t contacts = api().simulate(system, until, max_events, max_seconds)
    return fail() if contacts < 0 else contacts


cdef inline int64_t system_step(System* system, double dt, int64_t max_events=HDSIM_NO_LIMIT,
                                double max_seconds=HDSIM_NO_LIMIT) except -1 nogil:
    cdef int64_t contacts = api().step(system, dt, max_events, max_seconds)
    return fail() if contacts < 0 else contacts


cdef inline const Event* system_next_event(System* system) except? NULL nogil:
    """The next event, which is executed; NULL if nothing will ever happen."""
    cdef const Event* event
    if api().next_event(system, &event) < 0:
        fail()
    return event


cdef inline int64_t system_count(System* system) except -1 nogil:
    cdef int64_t n = api().count(system)
    return fail() if n < 0 else n


cdef inline double system_time(System* system) except? -1.0 nogil:
    cdef double time = api().time(system)
    return fail() if time != time else time


cdef inline int system_positions(System* system, double* out, int64_t n) except -1 nogil:
    return fail() if api().positions(system, out, n) < 0 else 0


cdef inline int system_velocities(System* system, double* out, int64_t n) except -1 nogil:
    return fail() if api().velocities(system, out, n) < 0 else 0


cdef inline int system_radii(System* system, double* out, int64_t n) except -1 nogil:
    return fail() if api().radii(system, out, n) < 0 else 0


cdef inline int system_masses(System* system, double* out, int64_t n) except -1 nogil:
    return fail() if api().masses(system, out, n) < 0 else 0


cdef inline uint64_t system_hash(System* system) except? 0 nogil:
    cdef uint64_t hash = 0
    if api().hash(system, &hash) < 0:
        fail()
    return hash


cdef inline int system_on_collision(System* system, OnEvent f, void* data=NULL, int kind=HDSIM_ANY) except -1 nogil:
    return fail() if api().on_collision(system, f, data, kind) < 0 else 0


cdef inline int system_off_collision(System* system, OnEvent f, void* data=NULL) except -1 nogil:
    return fail() if api().off_collision(system, f, data) < 0 else 0


cdef inline int system_dimension(System* system) except -1 nogil:
    cdef int dimension = api().dimension(system)
    return fail() if dimension < 0 else dimension


cdef inline System* system_create_in(int dimension, int64_t n, const double* positions, const double* velocities,
                                     const double* radii, const double* masses, const double* lengths=NULL,
                                     const int* periodic=NULL) except NULL nogil:
    cdef System* system = api().create_in(dimension, n, positions, velocities, radii, masses, lengths, periodic)
    if system == NULL:
        fail()
    return system


cdef inline int64_t system_add_in(System* system, const double* position, const double* velocity, double radius,
                                  double mass) except -1 nogil:
    cdef int64_t i = api().add_in(system, position, velocity, radius, mass)
    return fail() if i < 0 else i


cdef inline const EventIn* system_next_event_in(System* system) except? NULL nogil:
    """The next event, which is executed; NULL if nothing will ever happen."""
    cdef const EventIn* event
    if api().next_event_in(system, &event) < 0:
        fail()
    return event


cdef inline int system_positions_in(System* system, double* out, int64_t n) except -1 nogil:
    return fail() if api().positions_in(system, out, n) < 0 else 0


cdef inline int system_velocities_in(System* system, double* out, int64_t n) except -1 nogil:
    return fail() if api().velocities_in(system, out, n) < 0 else 0


cdef inline int system_on_collision_in(System* system, OnEventIn f, void* data=NULL, int kind=HDSIM_ANY) except -1 nogil:
    return fail() if api().on_collision_in(system, f, data, kind) < 0 else 0


cdef inline int system_off_collision_in(System* system, OnEventIn f, void* data=NULL) except -1 nogil:
    return fail() if api().off_collision_in(system, f, data) < 0 else 0
