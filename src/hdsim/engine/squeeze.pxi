# Squeezes: bodies between things that close on them, which would bounce ever faster without end.
# uses: state, movers, pistons, restitution
from libc.math cimport INFINITY

from hdsim.core.axes cimport AXES, largest_of
from hdsim.core.cluster cimport Contact
from hdsim.core.law cimport is_growing
from hdsim.core.squeeze cimport SQUEEZE_SLOW, SQUEEZE_WAY, squeeze_energy, squeeze_name, squeeze_reset, squeeze_time
from hdsim.core.stall cimport is_counted


cdef double speed_of_drive(const EngineC* e, double t) noexcept nogil:
    """The largest speed at clock t of what moves and gives no way, along an axis: moving obstacles and bodies of infinite mass. 0
    if it is so slow beside other bodies that it drives nothing."""
    cdef double drive = speed_of_movers(e, t)
    cdef double fastest = 0.0
    cdef int i
    for i in range(bodies_of(e)):
        if e.disc[i].mass == INFINITY:
            drive = max(drive, largest_of(e.disc[i].v))
        else:
            fastest = max(fastest, largest_of(e.disc[i].v))
    return drive if drive > SQUEEZE_SLOW * fastest else 0.0


cdef bint is_squeezed(EngineC* e, double time, long long contacts) noexcept nogil:
    """Are bodies squeezed, to be told now? To be called after so many contacts, which took a time: most of them in a squeeze are
    its own, for they come ever faster."""
    cdef double drive
    cdef double side = e.box.length[0]
    cdef int k
    if is_counted(&e.stall):        # no time passes: that is a jam of another kind, or it ends
        squeeze_reset(&e.squeeze)
        return False
    if e.squeeze.suspected and e.squeeze.body.count > 0 and e.squeeze.by.count > 0:
        e.squeeze.suspected = False
        return True
    for k in range(1, AXES):
        side = min(side, e.box.length[k])
    drive = speed_of_drive(e, e.clock.current)
    if not drive > 0.0 or is_growing(&e.law) or not drive * (e.squeeze.time + time) < SQUEEZE_WAY * side:
        squeeze_reset(&e.squeeze)
    elif squeeze_time(&e.squeeze, time, contacts, bodies_of(e)):
        squeeze_energy(&e.squeeze, energy_of_bodies(e, e.clock.current, 0.0).high)
    return False


cdef void name_squeezed(EngineC* e) noexcept nogil:
    """Note the bodies and partners of the executed contacts, which have the numbers of the engine."""
    cdef const Contact* c
    cdef int k
    for k in range(e.impact.cluster.executions):
        c = &e.impact.cluster.executed[k]
        name_body(e, c.i)
        name_body(e, c.j)


cdef void name_body(EngineC* e, int body) noexcept nogil:
    """Note a wall, feature, disc or piston: as what is squeezed if it gives way, else as what squeezes."""
    squeeze_name(&e.squeeze.body if body >= 0 and e.disc[body].mass < INFINITY else &e.squeeze.by, number_of_partner(e, body))
