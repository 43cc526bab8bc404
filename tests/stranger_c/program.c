/* How hard is the right wall hit? A program in C (or C++) that brings its own Python. */
#include <Python.h>
#include <stdio.h>
#include "hdsim/hdsim.h"

typedef struct {
    long long count;
    double impulse;
} hits;

/* Called after each event with a wall, without the GIL. */
static int count_hit(const hdsim_event *event, void *data) {
    hits *sum = (hits *)data;
    int64_t k;
    for (k = 0; k < event->contact_count; k++) {
        if (event->contacts[k].j == HDSIM_RIGHT) {
            sum->count++;
            sum->impulse += event->contacts[k].impulse;
        }
    }
    return 0;       /* another number would end the run */
}

static int run(const hdsim_api *hdsim) {
    const hdsim_event *event;
    hits sum = {0, 0.0};
    int64_t contacts;
    int result = 1;
    hdsim_system *system = hdsim->load("billiards5");
    if (system && hdsim->next_event(system, &event) == 1) {
        printf("%s at %g: discs %d and %d\n", event->kind == HDSIM_PAIR ? "pair" : "wall or several", event->time,
               (int)event->contact.i, (int)event->contact.j);
    }
    if (system && hdsim->on_collision(system, count_hit, &sum, HDSIM_WALL) == 0
        && (contacts = hdsim->simulate(system, 1000.0, HDSIM_NO_LIMIT, HDSIM_NO_LIMIT)) >= 0) {
        printf("%lld contacts up to %g, %lld with the right wall, impulse %.17g\n", (long long)contacts,
               hdsim->time(system), sum.count, sum.impulse);
        result = 0;
    }
    if (system && hdsim->add(system, 0.5, 0.5, 0.0, 0.0, -1.0, 1.0) < 0) {
        printf("refused: %s\n", hdsim->error_text());
    }
    if (system && hdsim->add_obstacles(system, "segment 0 0 0.01 0 name=low\nsegment 0 0 1") < 0) {
        printf("refused: %s\n", hdsim->error_text());
    }
    if (system && hdsim->add_obstacles(system, "segment 0 0 0.01 0 name=low\ncircle 0.001 0.999 0.001") == 2) {
        printf("%d obstacles at %g\n", 2, hdsim->time(system));
    }
    if (result) {
        fprintf(stderr, "%s\n", hdsim->error_text());
    }
    hdsim->free(system);
    return result;
}

/* Two spheres that meet on the diagonal of a cube, and a third one. */
static int run_spheres(const hdsim_api *hdsim) {
    const double positions[] = {0.25, 0.25, 0.25, 0.75, 0.75, 0.75};
    const double velocities[] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    const double radii[] = {0.125, 0.125}, masses[] = {1.0, 3.0};
    const double position[] = {0.75, 0.25, 0.5}, velocity[] = {0.0, 0.0, 1.0};
    const hdsim_event_in *event;
    double out[9];
    int result = 1;
    hdsim_system *system = hdsim->create_in(3, 2, positions, velocities, radii, masses, NULL, NULL);
    if (system && hdsim->next_event_in(system, &event) == 1) {
        printf("spheres %d and %d at %.6f, normal %.6f %.6f %.6f\n", (int)event->contact.i, (int)event->contact.j,
               event->time, event->contact.normal[0], event->contact.normal[1], event->contact.normal[2]);
    }
    if (system && hdsim->add(system, 0.75, 0.25, 0.0, 0.0, 0.125, 1.0) < 0) {
        printf("refused: %s\n", hdsim->error_text());
    }
    if (system && hdsim->add_in(system, position, velocity, 0.125, 1.0) == 2
        && hdsim->simulate(system, 10.0, HDSIM_NO_LIMIT, HDSIM_NO_LIMIT) > 0
        && hdsim->positions_in(system, out, hdsim->count(system)) == 0) {
        printf("the third of %d axes: %.17g %.17g %.17g\n", hdsim->dimension(system), out[2], out[5], out[8]);
        result = 0;
    }
    if (result) {
        fprintf(stderr, "%s\n", hdsim->error_text());
    }
    hdsim->free(system);
    return result;
}

/* The Python of this name finds its own packages, those of a virtual environment for example. */
static void start(const char *python) {
    PyConfig config;
    PyStatus status;
    PyConfig_InitPythonConfig(&config);
    status = PyConfig_SetBytesString(&config, &config.program_name, python);
    if (!PyStatus_Exception(status)) {
        status = Py_InitializeFromConfig(&config);
    }
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
}

int main(int argc, char **argv) {
    const hdsim_api *hdsim;
    PyThreadState *state;
    int result;
    start(argc > 1 ? argv[1] : "python3");
    hdsim = hdsim_import();
    if (!hdsim) {
        PyErr_Print();
        return 1;
    }
    state = PyEval_SaveThread();        /* the table takes the GIL where it needs it */
    result = run(hdsim) || run_spheres(hdsim);
    PyEval_RestoreThread(state);
    return Py_FinalizeEx() < 0 ? 1 : result;
}
