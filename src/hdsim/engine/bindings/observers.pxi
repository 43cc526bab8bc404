# Observers of an engine, for Python: their kinds, and copies of their sums.
# uses: bindings/access
from libc.stdlib cimport free
from libc.string cimport memcpy, memset
cimport cython

from hdsim.core.calendar cimport Calendar
from hdsim.core.clock cimport Clock, RunEnd
from hdsim.core.counters cimport Counters
from hdsim.core.observer cimport (CORRELATION, COUNTS, DISPLACEMENT, ENERGY, FLOW, FREE_PATH, FREE_TIME, BLOCKS_MAX as
                                  MOST_BLOCKS, PRESSURE, RECORD, RECORDS, REGIONS, SPEED, STRESS, SURFACES, TRANSPORT, VELOCITY,
                                  Observer, Observers, Series, observer_free, observer_new, observer_size, series_create)
from hdsim.core.observers cimport (add_pending, observer_begin, observers_add, observers_find_next, observers_remove)
from hdsim.core.stall cimport Stall
from hdsim.core.timers cimport Timers


OBSERVERS = {"pressure": PRESSURE, "energy": ENERGY, "speed": SPEED, "velocity": VELOCITY, "counts": COUNTS,     # kinds
             "free time": FREE_TIME, "free path": FREE_PATH, "flow": FLOW, "records": RECORDS, "displacement": DISPLACEMENT,
             "correlation": CORRELATION, "regions": REGIONS, "stress": STRESS, "surfaces": SURFACES, "transport": TRANSPORT}
BLOCKS_MAX = MOST_BLOCKS


cdef struct Parts:              # of an engine, for the methods that all engines have
    int bodies                  # that are observed
    int before_timers           # items of the queue before those of the timers
    int items                   # of the queue that are no timers
    bint with_days              # in the queue
    Clock* clock
    RunEnd* end
    Timers* timers
    Calendar* queue
    Counters* counters
    Stall* stall
    Observers* observers


cdef int fill_numbers(double[::1] out, const Series* s) except -1:
    """Fill `out` with the first numbers of an array of an observer; IndexError if that is shorter."""
    if out.shape[0] > s.size:
        raise IndexError(f"room for {out.shape[0]} numbers of an observer, which has {s.size}")
    if out.shape[0] > 0:
        memcpy(&out[0], s.at, out.shape[0] * sizeof(double))
    return 0


cdef int take_numbers(Series* s, const double[::1] numbers) except -1:
    """Overwrite the first numbers of an array of an observer; IndexError if that is shorter."""
    if numbers.shape[0] > s.size:
        raise IndexError(f"{numbers.shape[0]} numbers for an observer that has {s.size}")
    if numbers.shape[0] > 0:
        memcpy(s.at, &numbers[0], numbers.shape[0] * sizeof(double))
    return 0


@cython.auto_pickle(False)
cdef class Observed(Access):
    """Base of the engines that observers can be attached to; the engines say where these are."""

    cdef Parts parts(self) noexcept:
        """The parts of the engine."""
        cdef Parts none
        memset(&none, 0, sizeof(Parts))
        return none

    def observe(self, long long number, int kind, const int[::1] group, int groups, int bins, double low, double inverse,
                bint with_walls, bint integral, int axis, int levels, long long most, double every, const double[::1] region):
        """Add an observer, which begins now. number: chosen by the caller, no two equal; names the observer in the other methods.
        group: (n,), the group of each disc, -1 for none. every: time between two samples or blocks, 0 to let the first contacts
        set it. The others are fields of `Observer` in core/observer.pxd. ValueError if there is no such kind."""
        cdef Observers* w = self.parts().observers
        cdef Observer settings
        cdef Observer* o
        cdef Py_ssize_t k
        check_rows("group", group.shape[0], w.n)
        memset(&settings, 0, sizeof(Observer))
        settings.number = number
        settings.kind = kind
        settings.n = w.n
        settings.groups = groups
        settings.bins = bins
        settings.low = low
        settings.inverse = inverse
        settings.with_walls = with_walls
        settings.integral = integral
        settings.axis = axis
        settings.levels = levels
        settings.most = most
        settings.averaging.width = every
        self.claim(CHANGES)
        try:
            o = observer_new(&settings)
            try:
                series_create(&o.region, region.shape[0])
                for k in range(region.shape[0]):
                    o.region.at[k] = region[k]
                observer_size(o)
                o.one_group = True
                for k in range(o.n):
                    o.group[k] = group[k]
                    o.one_group &= group[k] == 0
                observer_begin(o, w, self.parts().clock.now, self.parts().clock.now_low)
                observers_add(w, o)
            except BaseException:
                observer_free(o)
                raise
        finally:
            self.release()

    cdef Observer* numbered(self, long long number) except NULL:
        """The observer of this number; RuntimeError if there is none."""
        cdef Observers* w = self.parts().observers
        cdef int k
        for k in range(w.count):
            if w.observer[k].number == number:
                return w.observer[k]
        raise RuntimeError("this observer does not observe these discs any more")

    def unobserve(self, long long number):
        """Remove the observer of this number; RuntimeError if there is none."""
        cdef Observers* w = self.parts().observers
        cdef int k = 0
        self.claim(CHANGES)
        try:
            while w.observer[k] != self.numbered(number):
                k += 1
            observers_remove(w, k)
        finally:
            self.release()

    def observe_anew(self, long long number):
        """Clear the observer of this number, and let it begin now."""
        self.claim(CHANGES)
        try:
            observer_begin(self.numbered(number), self.parts().observers, self.parts().clock.now, self.parts().clock.now_low)
            observers_find_next(self.parts().observers)
        finally:
            self.release()

    @property
    def observers(self):
        """Number of observers."""
        return self.parts().observers.count

    def observed_sizes(self, long long number):
        """How many doubles an observer holds: (sums, sums of all blocks, histogram, values of discs, records)."""
        cdef const Observer* o
        self.claim(LOOKS)
        try:
            o = self.numbered(number)
            return (o.total.size, o.total.size * o.averaging.blocks, o.histogram.size, o.value.size,
                    RECORD * o.averaging.records)
        finally:
            self.release()

    def observed(self, long long number, bint stored, double[::1] total, double[::1] block, double[::1] histogram,
                 double[::1] value, double[::1] record):
        """Fill in the numbers of an observer, with the flights up to now; if `stored`, as it holds them, for a checkpoint. The
        arrays are at most as long as `observed_sizes` says (IndexError). Returns its `BlockAveraging` as a dict, with the time
        since its beginning as `elapsed`."""
        cdef Observer* o
        cdef const Clock* c = self.parts().clock
        self.claim(LOOKS)
        try:
            o = self.numbered(number)
            fill_numbers(total, &o.total)
            fill_numbers(block, &o.block)
            fill_numbers(histogram, &o.histogram)
            fill_numbers(value, &o.value)
            fill_numbers(record, &o.record)
            if not stored and total.shape[0] > 0:
                add_pending(o, self.parts().observers, c.now, c.now_low, &total[0],
                            &histogram[0] if histogram.shape[0] > 0 else NULL)
            return dict(o.averaging, elapsed=(c.now - o.averaging.begin) + (c.now_low - o.averaging.begin_low))
        finally:
            self.release()

    def set_observed(self, long long number, const double[::1] total, const double[::1] block, const double[::1] histogram,
                     const double[::1] value, const double[::1] record, dict averaging):
        """Restore an observer from what `observed(..., stored=True, ...)` has filled in and returned."""
        cdef Observer* o
        self.claim(CHANGES)
        try:
            o = self.numbered(number)
            free(o.record.at)
            series_create(&o.record, record.shape[0])
            take_numbers(&o.total, total)
            take_numbers(&o.block, block)
            take_numbers(&o.histogram, histogram)
            take_numbers(&o.value, value)
            take_numbers(&o.record, record)
            o.averaging = averaging
            observers_find_next(self.parts().observers)
        finally:
            self.release()
