# cython: language_level=3, wraparound=False, cdivision=True
"""Thermal surfaces: sides of the box and obstacles with a temperature, which re-emit the discs that touch them.

A disc leaves such a surface as if it came through it from a gas in equilibrium at that temperature, seen from the surface: the
normal component of its velocity has the density of a flux, v exp(-m v^2 / 2kT) (Rayleigh), the components along the surface are
normal variates of the variance kT / m. Of all contacts the part `accommodation` is like this; the others are mirrored, with
restitution if there is any. The random numbers of a contact belong to the seed, the surface, the id of the disc and the number of
contacts that it has had with thermal surfaces, so they do not depend on cells, on other discs, or on who looks.
"""
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES, square
from hdsim.core.chance cimport Chance, normal_pair, rayleigh
from hdsim.core.exact cimport Pair, pair_of
from hdsim.core.pair cimport part


cdef struct Surface:            # a side of the box, or an obstacle
    double kT                   # 0: it is not thermal
    double accommodation        # the part of the contacts that are re-emitted
    double u[AXES]              # the velocity along a side; that of obstacles stands in their contacts


cdef struct Emission:           # what a thermal contact has given to a disc
    int partner                 # the number of the surface, as in hdsim.h; 0: the last event was no thermal contact
    double along[AXES]          # the momentum along the surface
    double work                 # done by that momentum
    double heat


cdef struct Heat:
    Surface* surface            # [side, or SIDES + obstacle]; NULL if none is thermal, and nothing else here is read
    int surfaces
    uint64_t seed
    long long* id               # [disc]
    long long* contacts         # [disc] with thermal surfaces
    Pair given                  # heat that has come to the discs
    Emission last               # of the present event


cdef inline void heat_free(Heat* h) noexcept nogil:
    free(h.surface)
    free(h.id)
    free(h.contacts)
    h.surface = NULL
    h.id = h.contacts = NULL
    h.surfaces = 0
    h.given = pair_of(0.0)
    h.last.partner = 0


cdef inline bint heat_create(Heat* h, int discs, int surfaces, uint64_t seed) noexcept nogil:
    """Make room for thermal surfaces, which are to be filled in, as are the ids. False without memory; then none is thermal."""
    h.surface = <Surface*>calloc(<size_t>surfaces, sizeof(Surface))
    h.id = <long long*>calloc(<size_t>discs + 1, sizeof(long long))
    h.contacts = <long long*>calloc(<size_t>discs + 1, sizeof(long long))
    if h.surface == NULL or h.id == NULL or h.contacts == NULL:
        heat_free(h)
        return False
    h.surfaces = surfaces
    h.seed = seed
    return True


cdef inline bint heat_copy(Heat* h, const Heat* source, int discs) noexcept nogil:
    """Become a copy of `source`. False without memory. h: with no thermal surface."""
    h.given = source.given
    if source.surface == NULL:
        return True
    if not heat_create(h, discs, source.surfaces, source.seed):
        return False
    memcpy(h.surface, source.surface, <size_t>source.surfaces * sizeof(Surface))
    memcpy(h.id, source.id, <size_t>discs * sizeof(long long))
    memcpy(h.contacts, source.contacts, <size_t>discs * sizeof(long long))
    return True


cdef inline void emit(Chance* chance, double kT, double mass, const double* d, const double* u, double* v) noexcept nogil:
    """Give a disc that touches a surface a velocity from the law of the flux. d: from the disc towards the surface, of any
    length. u: the velocity of the surface."""
    cdef double speed = sqrt(kT / mass)
    cdef double length = sqrt(square(d))
    cdef double away = speed * rayleigh(chance)
    cdef double along[2]
    cdef double still[AXES]
    cdef int k, axis = 0
    normal_pair(chance, &along[0], &along[1])
    if AXES == 2:
        v[0] = u[0] - away * (d[0] / length) + speed * along[0] * (d[1] / length)
        v[1] = u[1] - away * (d[1] / length) - speed * along[0] * (d[0] / length)
    else:           # of the sides of a box only
        for k in range(AXES):
            if d[k] != 0.0:
                v[k] = u[k] - away * d[k]
            else:
                v[k] = u[k] + speed * along[axis]
                axis += 1
    for k in range(AXES):
        still[k] = u[k]
    part(d, v, mass, still, INFINITY)
