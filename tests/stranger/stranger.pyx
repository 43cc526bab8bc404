# cython: language_level=3, freethreading_compatible=True
"""How hard is the right wall hit? A stranger to hdsim that runs its engine without Python."""
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int64_t

from hdsim cimport (HDSIM_FRONT, HDSIM_OBSTACLE, HDSIM_RIGHT, HDSIM_SIGNATURE, HDSIM_WALL, Event, EventIn, Queue,
                    System, import_hdsim, queue_create, queue_free, queue_insert, queue_top, system_add_obstacles,
                    system_create_in, system_free, system_from_python, system_load, system_off_collision,
                    system_on_collision, system_on_collision_in, system_simulate, time_to_disc)

import_hdsim()          # once, before the first function that begins with system_


cdef struct Hits:
    int64_t count, most
    double impulse


cdef int count_hit(const Event* event, void* data) noexcept nogil:
    """Called after each event with a wall; ends the run when there were enough."""
    cdef Hits* hits = <Hits*>data
    cdef int64_t k
    for k in range(event.contact_count):
        if event.contacts[k].j == HDSIM_RIGHT:
            hits.count += 1
            hits.impulse += event.contacts[k].impulse
    return hits.count >= hits.most


def hits_of(str source, double until, int64_t most):
    """(contacts, hits of the right wall, their impulse) of a data set or a file, up to a time or so many hits."""
    cdef bytes name = source.encode()
    cdef const char* path = name
    cdef Hits hits = Hits(0, most, 0.0)
    cdef System* system
    cdef int64_t contacts
    with nogil:
        system = system_load(path)
        try:
            system_on_collision(system, count_hit, &hits, HDSIM_WALL)
            contacts = system_simulate(system, until)
        finally:
            system_free(system)
    return contacts, hits.count, hits.impulse


def hits_in(collision_system, double until):
    """The same for a hdsim.CollisionSystem, which goes on to live in Python."""
    cdef Hits hits = Hits(0, 2**62, 0.0)
    cdef System* system = system_from_python(collision_system)
    cdef int64_t contacts
    try:
        system_on_collision(system, count_hit, &hits, HDSIM_WALL)
        with nogil:
            contacts = system_simulate(system, until)
    finally:
        system_off_collision(system, count_hit, &hits)      # before `hits` is gone
        system_free(system)
    return contacts, hits.count, hits.impulse


cdef int count_last(const Event* event, void* data) noexcept nogil:
    """Called after each event with a wall or obstacle; counts those with one obstacle, whose number is `most`."""
    cdef Hits* hits = <Hits*>data
    cdef int64_t k
    for k in range(event.contact_count):
        if event.contacts[k].j == HDSIM_OBSTACLE - hits.most:
            hits.count += 1
            hits.impulse += event.contacts[k].impulse
    return 0


def hits_among(str source, str obstacles, double until):
    """(obstacles, hits of the last one, their impulse) of a data set or a file, up to a time. obstacles: lines of a file."""
    cdef bytes name = source.encode()
    cdef bytes lines = obstacles.encode()
    cdef const char* path = name
    cdef const char* text = lines
    cdef Hits hits = Hits(0, 0, 0.0)
    cdef System* system
    cdef int64_t count
    with nogil:
        system = system_load(path)
        try:
            count = system_add_obstacles(system, text)
            hits.most = count - 1
            system_on_collision(system, count_last, &hits, HDSIM_WALL)
            system_simulate(system, until)
        finally:
            system_free(system)
    return count, hits.count, hits.impulse


cdef int count_front(const EventIn* event, void* data) noexcept nogil:
    """Called after each event with a wall; counts those with the wall at the end of the third axis."""
    cdef Hits* hits = <Hits*>data
    cdef int64_t k
    for k in range(event.contact_count):
        if event.contacts[k].j == HDSIM_FRONT:
            hits.count += 1
            hits.impulse += event.contacts[k].impulse * event.contacts[k].normal[2]
    return 0


def hits_of_spheres(double[:, ::1] positions, double[:, ::1] velocities, double[::1] radii, double[::1] masses,
                    double depth, double until):
    """(contacts, hits of the front wall, their impulse) of spheres in a layer, periodic along x and y, up to a time."""
    cdef double[3] lengths = [1.0, 1.0, depth]
    cdef int[3] periodic = [True, True, False]
    cdef Hits hits = Hits(0, 0, 0.0)
    cdef int64_t contacts
    cdef System* system = system_create_in(3, len(radii), &positions[0, 0], &velocities[0, 0], &radii[0], &masses[0],
                                           lengths, periodic)
    try:
        system_on_collision_in(system, count_front, &hits, HDSIM_WALL)
        with nogil:
            contacts = system_simulate(system, until)
    finally:
        system_free(system)
    return contacts, hits.count, hits.impulse


cdef Hits seen = Hits(0, 2**62, 0.0)


def counter():
    """Something for `system.on_collision` that counts for `counted`."""
    return PyCapsule_New(<void*>count_all, HDSIM_SIGNATURE, NULL)


cdef int count_all(const Event* event, void* data) noexcept nogil:
    seen.count += event.contact_count
    return 0


def counted():
    return seen.count


def first_to_meet(gaps):
    """Which of these discs of radius 1/2, coming at speed 1, meets another one first? With nothing of the engine."""
    cdef Queue queue
    cdef int i
    queue_create(&queue, len(gaps))
    try:
        for i in range(len(gaps)):
            queue_insert(&queue, i, time_to_disc(1.0 + gaps[i], 0.0, -1.0, 0.0, 1.0), i)
        return queue_top(&queue)
    finally:
        queue_free(&queue)
