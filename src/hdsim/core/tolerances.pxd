# cython: language_level=3, wraparound=False, cdivision=True
"""What rounding explains, and after how much work something is done: shared by all engines, because their bits depend on it.

A body is a disc of one engine or a ball of the other.
"""


cdef enum:
    SLACK_SAME = 8              # largest gap, in rounding errors, of contacts at exactly the same instant
    SLACK_SIMULTANEOUS = 256    # ... and after a few collisions; used only if the order of the contacts matters
    JAM_CONTACTS = 1000         # contacts of one body at one instant, beyond the number of bodies, that make it jammed
    QUIET_PER_BODY = 64         # turns of the loop without a contact, per body, before `nothing_left` is called
    ENDLESS_LEAST = 10000000    # turns without an event after which a run without an end raises RuntimeError ...
    ENDLESS_PER_BODY = 1000     # ... plus this many for each body
    PAIRS_MAX = 3000            # bodies up to which `nothing_left` compares all pairs
    REBASE_LEAST = 64           # contacts between two moves of the origin of time ...
    REBASE_PER_BODY = 8         # ... plus this many for each body


cdef inline double blur(double size, double speed, double t) noexcept nogil:
    """The rounding error of a gap at clock t: that of positions of this size, and that of the clock times the speed at which the
    gap closes."""
    return 2.220446049250313e-16 * (size + speed * t)


cdef inline long long contacts_to_rebase(int bodies) noexcept nogil:
    """The contacts between two moves of the origin of time."""
    return REBASE_LEAST + REBASE_PER_BODY * <long long>bodies


cdef inline long long turns_to_endless(int bodies) noexcept nogil:
    """The turns without an event after which a run without an end is endless."""
    return ENDLESS_LEAST + ENDLESS_PER_BODY * <long long>bodies
