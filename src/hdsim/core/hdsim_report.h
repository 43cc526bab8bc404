/* The report of an event as engines of HDSIM_AXES axes write it, with vectors as arrays; see report.pxd. Its bytes are those of
   hdsim_event of hdsim.h with two axes, of hdsim_event_in with more. Behind axes.pxd, where HDSIM_AXES stands. */
#ifndef HDSIM_REPORT_H
#define HDSIM_REPORT_H

#include "hdsim/hdsim.h"

#if HDSIM_AXES == 2
#define HDSIM_ROOM 2
#define HDSIM_PUBLIC(name) hdsim_##name
#else
#define HDSIM_ROOM 4
#define HDSIM_PUBLIC(name) hdsim_##name##_in
#endif

typedef struct {
    double position[HDSIM_ROOM], velocity[HDSIM_ROOM];
    double radius, mass;
} hdsim_report_state;

typedef struct {
    int32_t i, j;
    double impulse;
    double normal[HDSIM_ROOM];
    hdsim_report_state a, b;
} hdsim_report_contact;

typedef struct {
    int32_t size, kind;
    int64_t contact_count;
    double time;
    const hdsim_report_contact *contacts;
    hdsim_report_contact contact;
    int64_t obstacle;
} hdsim_report_event;

/* An array of negative length, which no compiler takes, where a structure or the place of a field differs. */
typedef char hdsim_report_fits[
    sizeof(hdsim_report_state) == sizeof(HDSIM_PUBLIC(state)) && sizeof(hdsim_report_contact) == sizeof(HDSIM_PUBLIC(contact))
    && sizeof(hdsim_report_event) == sizeof(HDSIM_PUBLIC(event))
    && offsetof(hdsim_report_state, radius) == offsetof(HDSIM_PUBLIC(state), radius)
    && offsetof(hdsim_report_contact, a) == offsetof(HDSIM_PUBLIC(contact), a)
    && offsetof(hdsim_report_event, contacts) == offsetof(HDSIM_PUBLIC(event), contacts)
    && offsetof(hdsim_report_event, obstacle) == offsetof(HDSIM_PUBLIC(event), obstacle) ? 1 : -1];

#endif
