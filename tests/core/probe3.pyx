# cython: language_level=3, wraparound=False, cdivision=True
"""The floors of hdsim/core that are compiled for three axes, callable from Python. Built beside probe.pyx: see conftest.py."""
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from hdsim.core cimport axes, boundary, box, cluster, disc, exact, law, pair, prediction
from hdsim.core.axes cimport AXES
from hdsim.core.boundary cimport Boundary, Wall
from hdsim.core.box cimport no_image
from hdsim.core.cluster cimport NO_MEMBER, Cluster, Contact
from hdsim.core.fall cimport Fall, no_fall
from hdsim.core.law cimport Law
from hdsim.core.prediction cimport Prediction


# Vectors are lists, and structs of the floors below are dicts in Python: Cython converts them. Those of the headers have two
# names for the same bytes, so that only one of them is declared here.

cdef extern from "hdsim/core/hdsim_disc.h":
    ctypedef struct Image "hdsim_image":
        int at[AXES]

    ctypedef struct Disc "hdsim_disc":
        double r[AXES]
        double v[AXES]
        double t, radius, mass
        Image wrap

    ctypedef struct Box "hdsim_box":
        double length[AXES]
        double per_length[AXES]
        double slack
        bint periodic[AXES]


cdef inline disc.Disc* raw(Disc* d) noexcept:
    """The disc with all names."""
    return <disc.Disc*>d


include "probe_cells.pxi"


# axes

def total(values):
    cdef double[AXES] a = values
    return axes.total(a)


def dot(one, other):
    cdef double[AXES] a = one
    cdef double[AXES] b = other
    return axes.dot(a, b)


def square(values):
    cdef double[AXES] a = values
    return axes.square(a)


def span_of(values):
    cdef double[AXES] a = values
    return axes.span_of(a)


def largest_of(values):
    cdef double[AXES] a = values
    return axes.largest_of(a)


# exact

def exact_total(double a, double b, double c):
    """(rounded sum, its error)."""
    cdef double error
    return exact.exact_total(a, b, c, &error), error


# disc

def position_at(Disc d, double at):
    cdef double[AXES] r
    disc.position_at(raw(&d), at, r)
    return r


def stream(Disc d, double dt, double at):
    """The disc after it."""
    disc.stream(raw(&d), dt, at)
    return d


def speed_of(Disc d):
    return disc.speed_of(raw(&d))


# box

def make_box(lengths, periodic):
    cdef box.Box b = box_from(lengths, periodic)
    return (<Box*>&b)[0]


# pair

def time_to_meet(d, dv, double contact):
    cdef double[AXES] r = d
    cdef double[AXES] v = dv
    return pair.time_to_meet(r, v, contact)


def time_to_meet_rescaled(d, dv, double contact):
    cdef double[AXES] r = d
    cdef double[AXES] v = dv
    return pair.time_to_meet_rescaled(r, v, contact)


def time_to_meet_growing(d, dv, double contact, double rate):
    cdef double[AXES] r = d
    cdef double[AXES] v = dv
    return pair.time_to_meet_growing(r, v, contact, rate)


def time_to_disc(double dx, double dy, double dvx, double dvy, double contact):
    return pair.time_to_disc(dx, dy, dvx, dvy, contact)


def bounce(d, v_1, double mass_1, v_2, double mass_2):
    """(impulse over distance, v_1, v_2) after the bounce."""
    cdef double[AXES] line = d
    cdef double[AXES] v = v_1
    cdef double[AXES] w = v_2
    impulse = pair.bounce(line, v, mass_1, w, mass_2, law.rebound())
    return impulse, v, w


def bounce_discs(double dx, double dy, double vx_1, double vy_1, double mass_1, double vx_2, double vy_2, double mass_2):
    """(impulse over distance, vx_1, vy_1, vx_2, vy_2) after the bounce in the plane."""
    cdef double impulse = pair.bounce_discs(dx, dy, &vx_1, &vy_1, mass_1, &vx_2, &vy_2, mass_2, law.rebound())
    return impulse, vx_1, vy_1, vx_2, vy_2


def bounce_growing(d, double rate_1, v_1, double mass_1, double rate_2, v_2, double mass_2):
    """(impulse over distance, v_1, v_2) after the bounce."""
    cdef double[AXES] line = d
    cdef double[AXES] v = v_1
    cdef double[AXES] w = v_2
    impulse = pair.bounce_growing(line, rate_1, v, mass_1, rate_2, w, mass_2, law.rebound())
    return impulse, v, w


cdef Fall NO_FALL = no_fall()


# law

def constant_size():
    return law.constant_size()


def growing_size(double size, double growth):
    return law.growing_size(size, growth)


def contact_time(Law of, Disc a, Disc b, offset):
    cdef double[AXES] shift = offset
    return law.contact_time(&of, raw(&a), raw(&b), shift)


def closing_speed(Law of, Disc a, Disc b, d, double t):
    cdef double[AXES] line = d
    return law.closing_speed(&of, raw(&a), raw(&b), line, t)


def bounce_pair(Law of, d, Disc a, Disc b):
    """(impulse over distance, a, b) after the bounce."""
    cdef double[AXES] line = d
    impulse = law.bounce_pair(&of, line, raw(&a), raw(&b), law.rebound())
    return impulse, a, b


def bounce_wall(Law of, normal, Disc d):
    """(impulse, d) after the bounce."""
    cdef double[AXES] across = normal
    impulse = law.bounce_wall(&of, across, raw(&d), law.rebound())
    return impulse, d


# boundary

def walls(lengths, periodic):
    cdef box.Box b = box_from(lengths, periodic)
    cdef Boundary sides = boundary.boundary_of(&b, &NO_FALL, NULL, 0, NULL, NULL)
    return [sides.wall[k] for k in range(sides.walls)]


def wall_gap(Wall w, position, double radius):
    cdef double[AXES] r = position
    return boundary.wall_gap(&w, r, radius)


def wall_time(Wall w, Law of, Disc d):
    return boundary.wall_time(&w, &of, raw(&d))


def is_near_wall(lengths, periodic, position, double reach, int but):
    cdef box.Box b = box_from(lengths, periodic)
    cdef Boundary sides = boundary.boundary_of(&b, &NO_FALL, NULL, 0, NULL, NULL)
    cdef double[AXES] r = position
    return bool(boundary.is_near_wall(&sides, r, reach, but))


# prediction

def considered(int i, contacts):
    """(time, second time, partner, image) of the prediction of disc i after these (t, partner, image)."""
    cdef Prediction c = prediction.no_prediction()
    cdef box.Image image
    for t, partner, at in contacts:
        image.at = at
        prediction.consider(&c, t, i, partner, image)
    return c.t, c.second, c.partner, c.image.at


# cluster

def resolve(members, contacts):
    """(velocities after, [(i, j, impulse)], were they solved together?, is it unsolved?) of a cluster of members (velocity, mass)
    with these contacts (i, j or the negative number of a wall, vector)."""
    cdef Cluster g
    cdef Contact c
    cdef double[AXES] v
    cdef int k = 0
    memset(&g, 0, sizeof(g))
    try:
        cluster.cluster_clear(&g)
        for velocity, mass in members:
            v = velocity
            cluster.cluster_add_member(&g, k, v, mass)
            k += 1
        for i, j, d in contacts:
            c = cluster.contact_without_vector(i, j, NO_MEMBER, no_image())
            c.d = d
            cluster.cluster_add_contact(&g, &c)
        cluster.cluster_sort(&g)
        cluster.cluster_resolve(&g)
        return ([g.member[k].v for k in range(g.members)],
                [(g.executed[k].i, g.executed[k].j, g.executed[k].impulse) for k in range(g.executions)], g.together, g.unsolved)
    finally:
        cluster.cluster_free(&g)
