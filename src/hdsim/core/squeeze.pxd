# cython: language_level=3, wraparound=False, cdivision=True
"""Squeezes: bodies between things that close on them and give no way, such as a moving obstacle and a side.

They bounce ever faster: after a contact at a gap h, the next h comes after a time that shrinks with h * h, and no number of
contacts closes it. What tells is that many contacts of each body come in a time in which nothing that drives them moves by a
length to speak of, while they gain energy. Then the next contacts are noted, to say what is squeezed, and by what.
"""


cdef enum:
    SQUEEZE_CONTACTS = 4096     # contacts in which so little moves ...
    SQUEEZE_PER_BODY = 64       # ... plus this many for each body
    SQUEEZE_NAMED = 8           # bodies that are told, at most, and surfaces


cdef extern from *:
    """
    #define HDSIM_SQUEEZE_WAY 3.725290298461914e-9      /* 2^-28 */
    #define HDSIM_SQUEEZE_GAIN 1.00000095367431640625   /* 1 + 2^-20 */
    #define HDSIM_SQUEEZE_SLOW 9.313225746154785e-10    /* 2^-30 */
    """
    const double SQUEEZE_WAY "HDSIM_SQUEEZE_WAY"        # how little that is, of the shortest side of the box
    const double SQUEEZE_GAIN "HDSIM_SQUEEZE_GAIN"      # by what factor energy grows meanwhile, at least
    const double SQUEEZE_SLOW "HDSIM_SQUEEZE_SLOW"      # what is slower than this, beside the fastest body, drives nothing


cdef struct Named:              # a few different numbers, in the order in which they came
    int number[SQUEEZE_NAMED]
    int count
    bint more                   # there were others


cdef struct Squeeze:
    double time                 # in which little has moved ...
    long long contacts          # ... and the contacts in that
    double energy               # of all bodies when these began; 0 if it is not known
    bint suspected              # the contacts are noted:
    Named body                  # what is squeezed ...
    Named by                    # ... and what gives no way, both as reports number them


cdef inline void squeeze_reset(Squeeze* s) noexcept nogil:
    """Nothing is squeezed, as far as is known."""
    s.time = s.energy = 0.0
    s.contacts = 0
    s.suspected = False
    s.body.count = s.by.count = 0
    s.body.more = s.by.more = False


cdef inline void squeeze_name(Named* named, int number) noexcept nogil:
    """Note a number, once."""
    cdef int k
    for k in range(named.count):
        if named.number[k] == number:
            return
    if named.count == SQUEEZE_NAMED:
        named.more = True
        return
    named.number[named.count] = number
    named.count += 1


cdef inline bint squeeze_time(Squeeze* s, double time, long long contacts, int bodies) noexcept nogil:
    """Add contacts that took a time, in which little has moved. Were there enough of them to ask whether energy grows?"""
    s.time += time
    s.contacts += contacts
    return s.contacts >= SQUEEZE_CONTACTS + SQUEEZE_PER_BODY * <long long>bodies


cdef inline void squeeze_energy(Squeeze* s, double energy) noexcept nogil:
    """The energy after enough contacts: there is a squeeze if it has grown since as many contacts before. Counting begins
    anew."""
    cdef bint grown = s.energy > 0.0 and energy > SQUEEZE_GAIN * s.energy
    squeeze_reset(s)
    s.energy = energy
    s.suspected = grown
