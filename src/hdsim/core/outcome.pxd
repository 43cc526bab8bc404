# cython: language_level=3, wraparound=False, cdivision=True
"""Why the loop of an engine has returned, and what has become of a predicted contact."""


cdef enum Outcome:              # why the loop has returned
    RAISED = -1                 # an exception was raised
    REACHED = 0                 # the horizon is reached
    HAPPENED = 1                # there was a contact event of a wanted kind
    TIMER = 2                   # a timer is due
    ENOUGH = 3                  # the budget of events is spent
    SLICE_OVER = 4              # the slice of wall-clock time is over
    NEVER = 5                   # nothing will ever happen again
    JAMMED = 6                  # bodies collide without end while time does not advance
    STOPPED = 7                 # a callback in machine code asks for the end of the run
    ENDLESS = 8                 # there was no event in `quiet_most` turns of the loop
    CHANGED = 9                 # an obstacle has come or gone
    PASSED = 10                 # a gate has let a disc in
    TOO_FAR = 11                # the contact that is due is refused, because coordinates so far out are too rough
    FAILED = 12                 # a function of an own space has raised an exception
    GO_ON = 13                  # the loop has not returned: the run goes on


cdef enum Executed:             # what `contact_event` has done, or another event of a body
    BROKEN_OFF = -1             # an exception was raised
    NO_CONTACT = 0              # no contact: bodies do not approach because of rounding, or the event is another one
    RESOLVED = 1                # contacts were executed
    IN_JAM = 2                  # ... and bodies are jammed
    REFUSED = 4                 # nothing: the contact is too far out
