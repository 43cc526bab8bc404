# The origin of the clock moves: all discs are brought to the same clock.
# uses: state, obstacles, sides, pistons, fall, restitution, observing, motion
from hdsim.core.axes cimport AXES
from hdsim.core.clock cimport clock_rebase, end_rebase
from hdsim.core.disc cimport Disc, stream
from hdsim.core.fall cimport lift
from hdsim.core.law cimport law_rebase
from hdsim.core.restitution cimport restitution_rebase
from hdsim.core.observers cimport observers_origin, observers_time
from hdsim.core.queue cimport unlikely
from hdsim.core.stall cimport stall_rebase


cdef void rebase(EngineC* e, double clock, double low) noexcept nogil:
    """Move the origin of time to clock + low, and all discs to that clock, which becomes 0. The caller must predict all discs
    anew. A call rounds all positions, so its clock may only depend on the number of contacts, on gravity, or on a change of state
    by the user: not on where a run was paused or read. The falling frame is that of the laboratory again."""
    cdef Disc before
    cdef double way[AXES]
    cdef double speed[AXES]
    cdef int i
    cdef double dt
    if e.law.fall.falls:
        set_fall(e, clock + low, way, speed)
    while not observers_time(&e.observers, clock, False):
        pass
    for i in range(e.n):
        dt = (clock - e.disc[i].t) + low
        if e.boundary.features > 0:
            before = e.disc[i]
            stream_among_obstacles(e, i, dt, clock, 0.0)
            if unlikely(e.obstacles.delicate):
                keep_off(e, i, &before, clock)
        else:
            stream(&e.disc[i], dt, 0.0)
        wrap_disc(e, i)
        if e.law.fall.falls:
            lift(&e.disc[i], way, speed)
        report_flight(e, i, dt)
    for i in range(e.n, bodies_of(e)):
        add_work_of_load(e, stream_piston(e, i, (clock - e.disc[i].t) + low, 0.0))
        if e.law.fall.falls:
            lift_piston(e, i, way, speed)
    observers_origin(&e.observers, clock, low)
    stall_rebase(&e.stall, clock)
    law_rebase(&e.law, clock + low)
    restitution_rebase(&e.restitution, clock, e.n)
    clock_rebase(&e.clock, clock, low)
    obstacles_rebase(e)
    end_rebase(&e.end, &e.clock, clock, low)
