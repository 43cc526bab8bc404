# cython: language_level=3, wraparound=False, cdivision=True
"""Contacts of a run in zero time, and turns of its loop without a contact: whether it can go on.

A chain is a number of contact events between which no time passes, as far as rounding shows. In one with more
than a number of events the contacts of each body are counted. A turn of the loop is an event of the queue:
after many without a contact the engine asks whether there will ever be one, and a run without an end is given
up after a limit.
"""
from libc.limits cimport LLONG_MAX
from libc.string cimport memcpy, memset

from hdsim.core.memory cimport allocate_zeros, free_zeros
from hdsim.core.queue cimport unlikely
from hdsim.core.tolerances cimport JAM_CONTACTS, QUIET_PER_BODY, turns_to_endless


cdef enum Quiet:                # what is to be done after a turn without a contact
    WAIT = 0                    # go on
    ASK = 1                     # see whether there will ever be a contact
    TOO_LONG = 2                # give the run up


cdef struct Stall:
    double zero_time_since      # clock of the first of the present contact events in zero time
    long long zero_time_contacts    # number of these events
    int* zero_time_counter      # [body] its contacts in zero time ...
    int counted_from            # ... from so many events on
    int jam                     # the kind of the last jam, as the engine names it, its body, and what this touches
    int jammed
    int touched[2]
    long long quiet_turns       # turns of the loop since the last contact ...
    long long quiet_limit       # ... after which the engine asks whether there will be one
    long long quiet_most        # turns without a contact after which a run is endless


cdef inline bint stall_create(Stall* s, size_t bodies) noexcept nogil:
    s.zero_time_counter = <int*>allocate_zeros(bodies * sizeof(int))
    s.quiet_most = LLONG_MAX
    s.counted_from = JAM_CONTACTS
    return s.zero_time_counter != NULL


cdef inline void stall_free(Stall* s, size_t bodies) noexcept nogil:
    free_zeros(s.zero_time_counter, bodies * sizeof(int))


cdef inline void stall_copy(Stall* s, const Stall* source, size_t bodies) noexcept nogil:
    cdef int* own = s.zero_time_counter
    s[0] = source[0]
    s.zero_time_counter = own
    if is_counted(source):      # else it has not been written to
        memcpy(own, source.zero_time_counter, bodies * sizeof(int))


cdef inline bint is_counted(const Stall* s) noexcept nogil:
    """Is the present chain so long that the contacts of each body are counted?"""
    return s.zero_time_contacts >= s.counted_from


cdef inline bint is_zero_time(const Stall* s, double t, double window) noexcept nogil:
    """Has no time passed in the present chain of contacts up to clock t? window: a length of time that rounding explains; so
    much may pass in each JAM_CONTACTS contacts, or bodies that fill a row but for rounding would creep on for ever."""
    cdef double passed = t - s.zero_time_since
    return passed <= window or (unlikely(s.zero_time_contacts >= 2 * JAM_CONTACTS)
                                and passed <= window * (s.zero_time_contacts // JAM_CONTACTS))


cdef inline bint stall_event(Stall* s, bint goes_on, double t, int bodies) noexcept nogil:
    """Count a contact event at clock t, with which the chain goes on, or a new one begins. True for a long chain: then
    `stall_contact` is to be called for each contact."""
    if not unlikely(goes_on):
        stall_set(s, t, 0)
        return False
    s.zero_time_contacts += 1
    if s.zero_time_contacts == s.counted_from:
        memset(s.zero_time_counter, 0, bodies * sizeof(int))
    return is_counted(s)


cdef inline int stall_contact(Stall* s, int i, int j) noexcept nogil:
    """Count a contact of bodies i and j, or of body i if j < 0, in a long chain. Returns how many the one with more has had."""
    s.zero_time_counter[i] += 1
    if j >= 0:
        s.zero_time_counter[j] += 1
    return stall_length(s, i, j)


cdef inline int stall_length(const Stall* s, int i, int j) noexcept nogil:
    """The contacts in the present long chain of body i, or of body j if j >= 0 and that has had more."""
    return max(s.zero_time_counter[i], s.zero_time_counter[j] if j >= 0 else 0)


cdef inline void stall_rebase(Stall* s, double clock) noexcept nogil:
    """Adapt the counters to a new origin of the clock, at `clock`."""
    s.zero_time_since -= clock


cdef inline void stall_set(Stall* s, double since, long long contacts) noexcept nogil:
    """Set the clock since which no time has passed, as far as rounding shows, and the number of contact events since then."""
    s.zero_time_since = since
    s.zero_time_contacts = contacts


cdef inline void stall_count_from(Stall* s, int events) noexcept nogil:
    """Count the contacts of each body from so many events in zero time on."""
    s.counted_from = events


cdef inline void stall_count(Stall* s, int i, int contacts) noexcept nogil:
    """Set how many of these contacts body i had, for a checkpoint."""
    s.zero_time_counter[i] = contacts


cdef inline void quiet_reset(Stall* s, int bodies) noexcept nogil:
    """Count the turns of the loop without a contact from 0 again."""
    s.quiet_turns = 0
    s.quiet_limit = QUIET_PER_BODY * (bodies + 1)


cdef inline void quiet_begin_run(Stall* s, int bodies, bint limited) noexcept nogil:
    """Prepare a run, which is given up after `turns_to_endless` turns without a contact if it is `limited`."""
    s.quiet_most = LLONG_MAX
    if limited:
        s.quiet_most = turns_to_endless(bodies)
        quiet_reset(s, bodies)


cdef inline Quiet quiet_turn(Stall* s, int bodies) noexcept nogil:
    """Count a turn of the loop without a contact. ASK comes at twice the number of turns each time."""
    s.quiet_turns += 1
    if s.quiet_turns <= s.quiet_limit:
        return WAIT
    if s.quiet_turns > s.quiet_most:
        quiet_reset(s, bodies)
        return TOO_LONG
    s.quiet_limit = min(2 * s.quiet_limit, s.quiet_most)
    return ASK
