# One thread at a time in an engine.
# uses: nothing
from cpython.exc cimport PyErr_CheckSignals
from cpython.pythread cimport PyThread_get_thread_ident
cimport cython

from time import sleep

cdef enum:                      # what a thread is about to do with an engine
    LOOKS = 1                   # reads it, for a moment
    CHANGES = 2                 # changes it, for a moment
    RUNS = 3                    # for a time without a limit


cdef int check_rows(str name, Py_ssize_t rows, Py_ssize_t expected) except -1:
    """An array that comes in, or is to be filled, has a row for each disc: bounds are not checked any more behind this."""
    if rows != expected:
        raise IndexError(f"{name} has {rows} rows; expected {expected}, one for each disc")
    return 0


cdef str EXCHANGED = "another thread has exchanged the discs of this system in this very moment; call again"


@cython.auto_pickle(False)
cdef class Access:
    """Which thread may use an engine. One at a time: the loop runs without the GIL. A thread that only looks is waited for; a
    run is not, for it may take for ever: RuntimeError.

    In a `with` block nothing changes but by the thread of the block: what several calls read there belongs to one instant.
    """
    cdef unsigned long owner    # the thread; 0: none
    cdef int inside             # what one call of that thread is about, or 0 ...
    cdef int blocks             # ... and so many `with` blocks it is in
    cdef readonly bint retired  # another engine has taken the place of this one: one call may read it, no more

    cdef int claim(self, int purpose) except -1:
        """Begin a call; `release` ends it. purpose: LOOKS, CHANGES or RUNS. A signal handler, or a native callback, that asks
        for the engine of the call in which it came is refused."""
        self.wait(purpose)
        if self.retired and purpose != LOOKS:
            self.release()
            raise RuntimeError(EXCHANGED)
        return 0

    cdef int wait(self, int purpose) except -1:
        """Own the engine, as soon as other threads have looked; purpose 0: for a `with` block."""
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
        raise RuntimeError("this system is running in another thread, or around the native callback that asks; "
                           "use system.copy() for a second one")

    cdef void release(self) noexcept:
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
    """Whose turn it is to run a system: a `with` block around a run, callbacks included. RuntimeError in a callback, and in
    another thread, meanwhile."""
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
        """Is it the turn of another thread?"""
        return self.owner != 0 and self.owner != <unsigned long>PyThread_get_thread_ident()
