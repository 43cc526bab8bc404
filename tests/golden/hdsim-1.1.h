/* hdsim for programs in C, C++, Rust, cffi and others: a table of functions, which a running Python interpreter provides.
 *
 * docs/embedding.md is the guide. In short:
 *
 *     #include <Python.h>
 *     #include "hdsim/hdsim.h"                 hdsim.get_include() is the folder to pass to the compiler
 *
 *     const hdsim_api *hdsim = hdsim_import(); with the GIL; NULL with an ImportError set
 *     hdsim_system *system = hdsim->load("billiards5");
 *     hdsim->simulate(system, 100.0, HDSIM_NO_LIMIT, HDSIM_NO_LIMIT);
 *
 * The functions of the table may be called from any thread, with or without the GIL: they take it where they need it, and
 * release it while a simulation runs. A function that fails returns NULL, -1 or NAN, changes nothing, and sets the error of
 * the calling thread: error_text() returns its text, raise_error() makes it the Python exception of the thread. The error is
 * kept until the next call in this thread. Lengths, times and masses have the units that the caller has chosen.
 *
 * Compatibility: a program that was built with this header works with every later hdsim of the same HDSIM_ABI_MAJOR. In it,
 * nothing is removed or changed. New functions come at the end of the table, new fields at the end of hdsim_event, and
 * HDSIM_ABI_MINOR grows. So access an event only through its pointer: its size may grow. The sizes of hdsim_contact and
 * hdsim_state stay the same.
 *
 * A system in three dimensions comes from Python, by from_python. Of such a system add, next_event, positions, velocities and
 * on_collision are refused: they have the numbers of two.
 */
#ifndef HDSIM_H
#define HDSIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HDSIM_ABI_MAJOR 1
#define HDSIM_ABI_MINOR 1
#define HDSIM_NO_LIMIT (-1)     /* for max_events and max_seconds */
#define HDSIM_SIGNATURE "int (const hdsim_event *, void *)"     /* the name of a PyCapsule with an hdsim_on_event */

/* -- declarations: from here to the end of them plain C, for cffi, bindgen and others to read -- */

/* Kinds of events; for on_collision: the events after which the function is called. */
enum {
    HDSIM_ANY = 0,              /* only for on_collision: all events with contacts */
    HDSIM_PAIR = 1,             /* one contact of two discs; for on_collision: events with such a contact, HDSIM_MULTI too */
    HDSIM_WALL = 2,             /* one contact of a disc and a wall or obstacle; for on_collision: such a contact, likewise */
    HDSIM_MULTI = 4,            /* several contacts at one instant that share discs */
    HDSIM_REDRAW = 8,           /* a timer that a Python program has registered by on_redraw is due */
    HDSIM_TIMER = 16,           /* a timer that a Python program has registered by on_timer is due */
    HDSIM_PASS = 32,            /* a gate lets a disc in, without impulse; not in HDSIM_ANY. Since 1.1 */
    HDSIM_DEVICE = 64           /* an obstacle comes or goes; not in HDSIM_ANY. Since 1.1 */
};

/* Walls and obstacles: values of hdsim_contact.j, where it is no disc. Obstacle k is HDSIM_OBSTACLE - k; since 1.1. */
enum { HDSIM_LEFT = -4, HDSIM_RIGHT = -3, HDSIM_BOTTOM = -2, HDSIM_TOP = -1, HDSIM_OBSTACLE = -5 };

typedef struct hdsim_system hdsim_system;       /* a reference to a hdsim.CollisionSystem */

typedef struct {                /* state of a disc, immediately after an event */
    double x, y, vx, vy;        /* position, in [0, length) on a periodic axis, and velocity */
    double radius, mass;
} hdsim_state;

typedef struct {
    int32_t i, j;               /* two discs, i < j; or disc i and a wall or obstacle, j < 0 */
    double impulse;             /* transferred momentum, >= 0; 0 for a disc of infinite mass at a wall or obstacle */
    double normal_x, normal_y;  /* unit vector from i towards j, the wall or the obstacle */
    hdsim_state a, b;           /* states of i and j; b is all 0 for a wall or obstacle */
} hdsim_contact;

typedef struct {
    int32_t size;               /* bytes of this structure in the installed hdsim */
    int32_t kind;               /* one of the kinds of events */
    int64_t contact_count;      /* at least 1; 0 for timers and devices */
    double time;
    const hdsim_contact *contacts;      /* contact_count contacts, in the order of execution */
    hdsim_contact contact;      /* the first contact; most events have no other */
    int64_t obstacle;           /* the obstacle of a device, or of the first contact; -1 if there is none. Since 1.1 */
} hdsim_event;

/* A function that a run calls, without the GIL, once after each event of the kind that it was registered for. The event is
 * valid during the call. The function returns 0, or another number to end the run after this event. If it has set a Python
 * exception (with the GIL) and then returns another number than 0, the run raises that exception. The function must not use
 * the system, which is running, and must not be left by longjmp or a C++ exception. */
typedef int (*hdsim_on_event)(const hdsim_event *event, void *data);

/* The table of functions. Arrays are C-contiguous: n pairs (x, y), or n numbers. */
typedef struct {
    int32_t abi_major, abi_minor;
    size_t size;                /* bytes of this table */

    /* The functions from here on exist since 1.0. Type and message of the error of the last call in this thread; "" if it
     * succeeded. Valid until the next call in this thread. */
    const char *(*error_text)(void);
    /* Make this error the Python exception of this thread, and delete it. The thread must have a Python thread state: it holds
     * the GIL, or held it before and has released it. */
    void (*raise_error)(void);

    /* A new system: n discs in the box [0, width] x [0, height], each axis with walls (0) or periodic (1). NULL on failure. */
    hdsim_system *(*create)(int64_t n, const double *positions, const double *velocities, const double *radii,
                            const double *masses, double width, double height, int periodic_x, int periodic_y);
    /* A new system from the path of a file or checkpoint, or from the name of a data set; as hdsim.load. NULL on failure. */
    hdsim_system *(*load)(const char *source);
    /* Convert a hdsim.CollisionSystem (PyObject *), and back: new references to the same system. NULL on failure. */
    hdsim_system *(*from_python)(void *object);
    void *(*to_python)(hdsim_system *system);
    /* Release a reference; NULL is allowed. */
    void (*free)(hdsim_system *system);

    /* Add a disc at the present time. Returns its index, the last one; -1 on failure. */
    int64_t (*add)(hdsim_system *system, double x, double y, double vx, double vy, double radius, double mass);

    /* Execute all events up to the time `until`, or for a time dt. Return the number of contacts executed; -1 on failure. The
     * run ends earlier after max_events events or max_seconds of wall-clock time; HDSIM_NO_LIMIT: no such limit. */
    int64_t (*simulate)(hdsim_system *system, double until, int64_t max_events, double max_seconds);
    int64_t (*step)(hdsim_system *system, double dt, int64_t max_events, double max_seconds);
    /* Execute the next event. Returns 1 and sets *event, which is valid until this system runs again or is freed; 0 and NULL
     * if nothing will ever happen; -1 and NULL on failure. */
    int (*next_event)(hdsim_system *system, const hdsim_event **event);

    /* The number of discs, -1 on failure; and the present time, NAN on failure. */
    int64_t (*count)(hdsim_system *system);
    double (*time)(hdsim_system *system);
    /* Fill an array; n must be the number of discs. Positions are wrapped on periodic axes. 0, or -1 on failure. */
    int (*positions)(hdsim_system *system, double *out, int64_t n);
    int (*velocities)(hdsim_system *system, double *out, int64_t n);
    int (*radii)(hdsim_system *system, double *out, int64_t n);
    int (*masses)(hdsim_system *system, double *out, int64_t n);
    /* The hash over all contacts so far, CollisionSystem.hash() as a number. 0, or -1 on failure. */
    int (*hash)(hdsim_system *system, uint64_t *out);

    /* Have runs call f(event, data) after each event of this kind: HDSIM_ANY, HDSIM_PAIR, HDSIM_WALL, HDSIM_MULTI or, since
     * 1.1, HDSIM_PASS and HDSIM_DEVICE. And cancel all registrations of this function with this data. 0, or -1 on failure. */
    int (*on_collision)(hdsim_system *system, hdsim_on_event f, void *data, int kind);
    int (*off_collision)(hdsim_system *system, hdsim_on_event f, void *data);

    /* Since 1.1. Add obstacles at the present time: lines as behind the rows of a text file (docs/files.md), in UTF-8, such as
     * "segment .5 0 .5 .4\ncircle .2 .2 .05 until=3". They come after those that there are; all are added, or none if a line is
     * wrong or a disc overlaps one of them. Returns the number of obstacles that there are then; -1 on failure. */
    int64_t (*add_obstacles)(hdsim_system *system, const char *lines);
} hdsim_api;

/* -- end of declarations -- */

/* What the user should do if the table does not fit this header; NULL if it fits. */
static inline const char *hdsim_misfit(const hdsim_api *api) {
    if (api->abi_major != HDSIM_ABI_MAJOR) {
        return "rebuild the program against the hdsim that is installed";
    }
    return api->abi_minor < HDSIM_ABI_MINOR ? "update hdsim, or rebuild the program against the one that is installed" : NULL;
}

#ifdef Py_PYTHON_H

/* The table; NULL, with an ImportError set, if hdsim is missing or its table does not fit. Call it once, with the GIL. */
static inline const hdsim_api *hdsim_import(void) {
    const hdsim_api *api = NULL;
    const char *advice;
    PyObject *module = PyImport_ImportModule("hdsim._embedding");
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_C_API") : NULL;
    if (capsule) {
        api = (const hdsim_api *)PyCapsule_GetPointer(capsule, "hdsim._embedding._C_API");
    }
    if (api && (advice = hdsim_misfit(api)) != NULL) {
        PyErr_Format(PyExc_ImportError, "this program was built for version %d.%d of hdsim's C interface, but hdsim "
                     "has %d.%d: %s", HDSIM_ABI_MAJOR, HDSIM_ABI_MINOR, (int)api->abi_major, (int)api->abi_minor, advice);
        api = NULL;
    }
    Py_XDECREF(capsule);        /* the table belongs to the module, which Python keeps */
    Py_XDECREF(module);
    return api;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
