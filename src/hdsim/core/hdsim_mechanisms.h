/* Mechanisms that only make the engine faster: 0 where a build leaves one out (HDSIM_SIMPLE of setup.py), else 1. */
#ifndef HDSIM_MECHANISMS_H
#define HDSIM_MECHANISMS_H

#ifndef HDSIM_REFINEMENT
#define HDSIM_REFINEMENT 1
#endif
#ifndef HDSIM_PREFETCH
#define HDSIM_PREFETCH 1
#endif
#ifndef HDSIM_DELAYED_INSERTION
#define HDSIM_DELAYED_INSERTION 1
#endif
#ifndef HDSIM_LISTING_AHEAD
#define HDSIM_LISTING_AHEAD 1
#endif

#endif
