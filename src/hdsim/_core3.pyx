# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The engine of spheres in three dimensions: the same text as that of _core.pyx, compiled with three axes.

It has no obstacles and no gates, and none of the types that are not of an engine. It is loaded with the first system in three
dimensions.
"""
include "engine/state.pxi"
include "engine/open.pxi"
include "engine/pistons.pxi"
include "engine/restitution.pxi"
include "engine/counting.pxi"
include "engine/observing.pxi"
include "engine/motion.pxi"
include "engine/stall.pxi"
include "engine/clock.pxi"
include "engine/prediction.pxi"
include "engine/schedule.pxi"
include "engine/window.pxi"
include "engine/search.pxi"
include "engine/refinement.pxi"
include "engine/placement.pxi"
include "engine/modes.pxi"
include "engine/prefetch.pxi"
include "engine/planning.pxi"
include "engine/crossing.pxi"
include "engine/contact.pxi"
include "engine/simultaneous.pxi"
include "engine/resolution.pxi"
include "engine/callbacks.pxi"
include "engine/loop.pxi"
include "engine/audit.pxi"
include "engine/inspect.pxi"
include "engine/bindings/events.pxi"
include "engine/bindings/access.pxi"
include "engine/bindings/observers.pxi"
include "engine/bindings/timed.pxi"
include "engine/bindings/placing.pxi"
include "engine/bindings/build.pxi"
include "engine/bindings/shared.pxi"
include "engine/bindings/discs.pxi"
include "engine/bindings/runs.pxi"
include "engine/bindings/shown.pxi"
include "engine/bindings/sphere.pxi"


cdef class Engine(Shown):
    """The engine behind `hdsim.CollisionSystem`, which has validated all values. `Populated` explains the arguments."""
