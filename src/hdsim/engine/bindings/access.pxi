# One thread at a time in an engine.
# uses: nothing
from cpython.exc cimport PyErr_CheckSignals
from cpython.pythread cimport PyThread_get_thread_ident
cimport cython

from time import sleep

cdef enum:                      # purpose of a call of an engine
    LOOKS = 1                   # reads it, for a short time
    CHANGES = 2                 # changes it, for a short time
    RUNS = 3                    # runs it, for an unlimited time


cdef int check_rows(str name, Py_ssize_t rows, Py_ssize_t expected) except -1:
    """Raise IndexError unless an array has one row for each disc. Bounds are not checked after this."""
    if rows != expected:
        raise IndexError(f"{name} has {rows} rows; expected {expected}, one for each disc")
    return 0


cdef str EXCHANGED = "another thread has just exchanged the discs of this system; call again"


@cython.auto_pickle(False)
cdef class Access:
    """Base of the engines: one thread at a time may use one, because the loop runs without the GIL.

    A call waits while another thread has a short call or a `with` block. It does not wait for a run, which may take for ever:
    RuntimeError. In a `with` block only the thread of the block can change the engine, so all calls there read one instant.
    """
    cdef unsigned long owner    # the thread that has the engine; 0: none
    cdef int inside             # purpose of the call in which that thread is, or 0 ...
    cdef int blocks             # ... and number of `with` blocks in which it is
    cdef readonly bint retired  # another engine has taken the place of this one, which can only be read

    cdef int claim(self, int purpose) except -1:
        """Begin a call; `release` ends it. purpose: LOOKS, CHANGES or RUNS. RuntimeError if another thread runs the engine, if
        this thread is in a call of it already (in a signal handler or native callback), and if it is retired, unless to read."""
        self.wait(purpose)
        if self.retired and purpose != LOOKS:
            self.release()
            raise RuntimeError(EXCHANGED)
        return 0

    cdef int wait(self, int purpose) except -1:
        """Wait for short calls of other threads, then make this thread the owner. purpose 0: for a `with` block. RuntimeError as
        for `claim`, except that a retired engine is not refused."""
        cdef unsigned long me = <unsigned long>PyThread_get_thread_ident()
        cdef bint refused = False
        while not refused:
            with cython.critical_section(self):
                if self.owner == 0 or (self.owner == me and self.inside == 0):
                    self.owner = me
                    self.inside = purpose
                    self.blocks += purpose == 0
                    return 0
                refused = self.owner == me or self.inside == RUNS
            PyErr_CheckSignals()
            sleep(0)
        raise RuntimeError("this system is running in another thread, or in the run that called this function; "
                           "use system.copy() for a second system")

    cdef void release(self) noexcept:
        """End the call; the engine is free unless this thread is in a `with` block."""
        with cython.critical_section(self):
            self.inside = 0
            if self.blocks == 0:
                self.owner = 0

    def __enter__(self):
        self.wait(0)
        if self.retired:
            self.__exit__()
            raise RuntimeError(EXCHANGED)
        return self

    def __exit__(self, *error):
        self.blocks -= 1
        self.release()


@cython.auto_pickle(False)
cdef class Turn:
    """The right to run a system: a `with` block around a whole run, callbacks included. Entering it in a callback of the run, or
    in another thread during the run, raises RuntimeError."""
    cdef unsigned long owner

    def __enter__(self):
        cdef bint free
        with cython.critical_section(self):
            free = self.owner == 0
            if free:
                self.owner = <unsigned long>PyThread_get_thread_ident()
        if not free:
            raise RuntimeError("this system is running already: a callback, or another thread, cannot run it again")

    def __exit__(self, *error):
        self.owner = 0

    @property
    def elsewhere(self):
        """Does another thread run the system?"""
        return self.owner != 0 and self.owner != <unsigned long>PyThread_get_thread_ident()
