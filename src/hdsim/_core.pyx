# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The compiled core: the engine with its event loop, in the plane, and the types Particle and IndexMinPQ.

A disc is stored as its position and velocity at its own clock, the clock of its last contact. In a run only contacts and moves of
the origin of time change this state, so reading, pausing and cell crossings cannot change a bit of any result. Clocks count from
an origin that moves after a number of contacts, so that the rounding errors of times do not grow. The queue has one item for each
disc, at its earliest contact or cell crossing, and one for each timer. Knows no drawing and no files.
"""
include "engine/state.pxi"
include "engine/obstacles.pxi"
include "engine/movers.pxi"
include "engine/sides.pxi"
include "engine/pistons.pxi"
include "engine/fall.pxi"
include "engine/restitution.pxi"
include "engine/gates.pxi"
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
include "engine/thermal.pxi"
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
include "engine/bindings/native.pxi"
include "engine/bindings/discs.pxi"
include "engine/bindings/runs.pxi"
include "engine/bindings/shown.pxi"
include "engine/bindings/obstacles.pxi"
include "engine/bindings/text.pxi"
include "engine/bindings/particle.pxi"
include "engine/bindings/priority_queue.pxi"
include "engine/bindings/timestep.pxi"


cdef class Engine(Enclosed):
    """The engine behind `hdsim.CollisionSystem`, which has validated all values. `Populated` explains the arguments."""
