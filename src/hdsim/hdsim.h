/* hdsim for programs in C, C++, Rust, cffi and others: a table of functions, found in a running Python.
 *
 * docs/embedding.md explains it. In short:
 *
 *     #include <Python.h>
 *     #include "hdsim/hdsim.h"                 the folder before it is hdsim.get_include()
 *
 *     const hdsim_api *hdsim = hdsim_import(); with the GIL; NULL with an ImportError set
 *     hdsim_system *system = hdsim->load("billiards5");
 *     hdsim->simulate(system, 100.0, HDSIM_NO_LIMIT, HDSIM_NO_LIMIT);
 *
 * The functions of the table may be called with or without the GIL, from any thread: they take it where they need
 * it, and release it while a simulation runs. One that fails returns NULL, -1 or NAN, changes nothing, and leaves an
 * error: error_text() says what is wrong, raise_error() makes it the Python exception of this thread. It is kept until
 * the next call of this thread. Numbers are in the units of the system.
 *
 * The rule of this file: nothing is ever taken out or changed, or HDSIM_ABI_MAJOR grows. Functions are added at the end
 * of the table, and fields at the end of hdsim_event, and HDSIM_ABI_MINOR grows. So read events where they are, through
 * the pointer; what you built goes on to work with a newer hdsim. hdsim_contact and hdsim_state stay as they are.
 */
#ifndef HDSIM_H
#define HDSIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HDSIM_ABI_MAJOR 1
#define HDSIM_ABI_MINOR 0
#define HDSIM_NO_LIMIT (-1)     /* of events, or of seconds */
#define HDSIM_SIGNATURE "int (const hdsim_event *, void *)"     /* the name of a PyCapsule with an hdsim_on_event */

/* -- declarations: from here to the end of them plain C, for cffi, bindgen and others to read -- */

/* What an event is, and whom it concerns. */
enum {
    HDSIM_ANY = 0,              /* for on_collision: every event with a contact */
    HDSIM_PAIR = 1,             /* one contact of two discs; for on_collision: events that hold one */
    HDSIM_WALL = 2,             /* one contact of a disc and a wall; likewise */
    HDSIM_MULTI = 4,            /* several contacts at one instant that share discs */
    HDSIM_REDRAW = 8,           /* a timer that was registered in Python, by on_redraw */
    HDSIM_TIMER = 16            /* ... by on_timer */
};

/* Walls, in place of a disc. */
enum { HDSIM_LEFT = -4, HDSIM_RIGHT = -3, HDSIM_BOTTOM = -2, HDSIM_TOP = -1 };

typedef struct hdsim_system hdsim_system;       /* a reference to a hdsim.CollisionSystem */

typedef struct {                /* of a disc, right after an event */
    double x, y, vx, vy;        /* in [0, length) on a periodic axis */
    double radius, mass;
} hdsim_state;

typedef struct {
    int32_t i, j;               /* two discs, i < j; or a disc and a wall, j < 0 */
    double impulse;             /* mass * velocity, >= 0; 0 for a disc of infinite mass at a wall */
    double normal_x, normal_y;  /* unit vector from i towards j or the wall */
    hdsim_state a, b;           /* of i and j; b is all 0 for a wall */
} hdsim_contact;

typedef struct {
    int32_t size;               /* bytes of this structure, in the engine that runs */
    int32_t kind;               /* HDSIM_PAIR, HDSIM_WALL, HDSIM_MULTI, HDSIM_REDRAW or HDSIM_TIMER */
    int64_t contact_count;      /* at least 1; 0 for timers */
    double time;
    const hdsim_contact *contacts;      /* all of them, in the order of execution */
    hdsim_contact contact;      /* the first one, and of most events the only one */
} hdsim_event;

/* A function that is called inside a run, once after each event of the kind that it was registered for, without the
 * GIL. The event is valid during the call. It returns 0, or another number to end the run after this event; a Python
 * exception that it sets (with the GIL) and then returns such a number comes out of the run. It must not use the
 * system, which is running, and not leave by longjmp or a C++ exception. */
typedef int (*hdsim_on_event)(const hdsim_event *event, void *data);

/* Arrays are C-contiguous: n pairs (x, y), or n numbers. */
typedef struct {
    int32_t abi_major, abi_minor;
    size_t size;                /* bytes of this table */

    /* Since 1.0. The last error of this thread: its type and message, "" if the last call was fine. Valid until the
     * next call. */
    const char *(*error_text)(void);
    /* Makes it the Python exception of this thread, which must have the GIL or a thread state to come back to. */
    void (*raise_error)(void);

    /* n discs in the box [0, width] x [0, height], each axis with walls (0) or periodic (1). NULL on failure. */
    hdsim_system *(*create)(int64_t n, const double *positions, const double *velocities, const double *radii,
                            const double *masses, double width, double height, int periodic_x, int periodic_y);
    /* A file, a checkpoint or a named data set, as hdsim.load. NULL on failure. */
    hdsim_system *(*load)(const char *source);
    /* A hdsim.CollisionSystem (PyObject *), and back: new references to the same system. NULL on failure. */
    hdsim_system *(*from_python)(void *object);
    void *(*to_python)(hdsim_system *system);
    /* Give a reference back; NULL is allowed. */
    void (*free)(hdsim_system *system);

    /* Add a disc now. Returns its index, the last; -1 on failure. */
    int64_t (*add)(hdsim_system *system, double x, double y, double vx, double vy, double radius, double mass);

    /* Execute all events up to a time, or for a time dt. Return the number of contacts executed; -1 on failure. Limits:
     * events, and seconds of wall-clock time; HDSIM_NO_LIMIT. */
    int64_t (*simulate)(hdsim_system *system, double until, int64_t max_events, double max_seconds);
    int64_t (*step)(hdsim_system *system, double dt, int64_t max_events, double max_seconds);
    /* Execute one event. 1: *event is what happened, valid until this system runs again or is freed; 0: nothing will
     * ever happen, *event is NULL; -1 on failure. */
    int (*next_event)(hdsim_system *system, const hdsim_event **event);

    /* How many discs there are, -1 on failure; and the time now, NAN on failure. */
    int64_t (*count)(hdsim_system *system);
    double (*time)(hdsim_system *system);
    /* Fill an array for n discs, which must be all of them. 0, or -1 on failure. */
    int (*positions)(hdsim_system *system, double *out, int64_t n);
    int (*velocities)(hdsim_system *system, double *out, int64_t n);
    int (*radii)(hdsim_system *system, double *out, int64_t n);
    int (*masses)(hdsim_system *system, double *out, int64_t n);
    /* Over all contacts so far, as CollisionSystem.hash(). 0, or -1 on failure. */
    int (*hash)(hdsim_system *system, uint64_t *out);

    /* Call f(event, data) after each event of this kind; HDSIM_ANY, HDSIM_PAIR, HDSIM_WALL or HDSIM_MULTI. And end what
     * was registered with this function and this data. 0, or -1 on failure. */
    int (*on_collision)(hdsim_system *system, hdsim_on_event f, void *data, int kind);
    int (*off_collision)(hdsim_system *system, hdsim_on_event f, void *data);
} hdsim_api;

/* -- end of declarations -- */

/* What to say of a table that does not fit this header; NULL if it fits. */
static inline const char *hdsim_misfit(const hdsim_api *api) {
    if (api->abi_major != HDSIM_ABI_MAJOR) {
        return "rebuild the program against the hdsim that is installed";
    }
    return api->abi_minor < HDSIM_ABI_MINOR ? "update hdsim, or rebuild the program against the one that is installed" : NULL;
}

#ifdef Py_PYTHON_H

/* The table; NULL, with an ImportError set, if there is none that fits. Call it once, with the GIL. */
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
    Py_XDECREF(capsule);        /* the table stands in the module, which stays */
    Py_XDECREF(module);
    return api;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
