# cython: language_level=3, wraparound=False, cdivision=True
"""Cython declarations of hdsim.h, which explains every name. Types have no prefix `hdsim_` here."""
from libc.stdint cimport int32_t, int64_t, uint64_t


cdef extern from "hdsim/hdsim.h":
    enum:
        HDSIM_ABI_MAJOR
        HDSIM_ABI_MINOR
        HDSIM_NO_LIMIT
        HDSIM_ANY
        HDSIM_PAIR
        HDSIM_WALL
        HDSIM_MULTI
        HDSIM_REDRAW
        HDSIM_TIMER
        HDSIM_PASS
        HDSIM_DEVICE
        HDSIM_LEFT
        HDSIM_RIGHT
        HDSIM_BOTTOM
        HDSIM_TOP
        HDSIM_OBSTACLE
        HDSIM_BACK
        HDSIM_FRONT

    const char* HDSIM_SIGNATURE
    const char* HDSIM_SIGNATURE_IN

    ctypedef struct System "hdsim_system":
        pass

    ctypedef struct State "hdsim_state":
        double x, y, vx, vy, radius, mass

    ctypedef struct Contact "hdsim_contact":
        int32_t i, j
        double impulse, normal_x, normal_y
        State a, b

    ctypedef struct Event "hdsim_event":
        int32_t size, kind
        int64_t contact_count
        double time
        const Contact* contacts
        Contact contact
        int64_t obstacle

    ctypedef int (*OnEvent "hdsim_on_event")(const Event* event, void* data) noexcept nogil

    ctypedef struct StateIn "hdsim_state_in":
        double position[4]
        double velocity[4]
        double radius, mass

    ctypedef struct ContactIn "hdsim_contact_in":
        int32_t i, j
        double impulse
        double normal[4]
        StateIn a, b

    ctypedef struct EventIn "hdsim_event_in":
        int32_t size, kind
        int64_t contact_count
        double time
        const ContactIn* contacts
        ContactIn contact
        int64_t obstacle

    ctypedef int (*OnEventIn "hdsim_on_event_in")(const EventIn* event, void* data) noexcept nogil

    ctypedef struct Api "hdsim_api":
        int32_t abi_major, abi_minor
        size_t size
        const char* (*error_text)() noexcept nogil
        void (*raise_error)() noexcept nogil
        System* (*create)(int64_t n, const double* positions, const double* velocities, const double* radii,
                          const double* masses, double width, double height, int periodic_x,
                          int periodic_y) noexcept nogil
        System* (*load)(const char* source) noexcept nogil
        System* (*from_python)(void* object) noexcept nogil
        void* (*to_python)(System* system) noexcept nogil
        void (*free)(System* system) noexcept nogil
        int64_t (*add)(System* system, double x, double y, double vx, double vy, double radius,
                       double mass) noexcept nogil
        int64_t (*simulate)(System* system, double until, int64_t max_events, double max_seconds) noexcept nogil
        int64_t (*step)(System* system, double dt, int64_t max_events, double max_seconds) noexcept nogil
        int (*next_event)(System* system, const Event** event) noexcept nogil
        int64_t (*count)(System* system) noexcept nogil
        double (*time)(System* system) noexcept nogil
        int (*positions)(System* system, double* out, int64_t n) noexcept nogil
        int (*velocities)(System* system, double* out, int64_t n) noexcept nogil
        int (*radii)(System* system, double* out, int64_t n) noexcept nogil
        int (*masses)(System* system, double* out, int64_t n) noexcept nogil
        int (*hash)(System* system, uint64_t* out) noexcept nogil
        int (*on_collision)(System* system, OnEvent f, void* data, int kind) noexcept nogil
        int (*off_collision)(System* system, OnEvent f, void* data) noexcept nogil
        int64_t (*add_obstacles)(System* system, const char* lines) noexcept nogil
        int (*dimension)(System* system) noexcept nogil
        System* (*create_in)(int dimension, int64_t n, const double* positions, const double* velocities,
                             const double* radii, const double* masses, const double* lengths,
                             const int* periodic) noexcept nogil
        int64_t (*add_in)(System* system, const double* position, const double* velocity, double radius,
                          double mass) noexcept nogil
        int (*next_event_in)(System* system, const EventIn** event) noexcept nogil
        int (*positions_in)(System* system, double* out, int64_t n) noexcept nogil
        int (*velocities_in)(System* system, double* out, int64_t n) noexcept nogil
        int (*on_collision_in)(System* system, OnEventIn f, void* data, int kind) noexcept nogil
        int (*off_collision_in)(System* system, OnEventIn f, void* data) noexcept nogil

    const Api* load_api "hdsim_import"() except NULL
