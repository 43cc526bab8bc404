# Kinds of observers and copies of their sums, for Python.
# uses: nothing
from libc.string cimport memcpy

from hdsim.core.observer cimport (CORRELATION, COUNTS, DISPLACEMENT, ENERGY, FLOW, FREE_PATH, FREE_TIME, BLOCKS_MAX as
                                  MOST_BLOCKS, PRESSURE, RECORDS, REGIONS, SPEED, VELOCITY, Series)


OBSERVERS = {"pressure": PRESSURE, "energy": ENERGY, "speed": SPEED, "velocity": VELOCITY, "counts": COUNTS,     # kinds
             "free time": FREE_TIME, "free path": FREE_PATH, "flow": FLOW, "records": RECORDS, "displacement": DISPLACEMENT,
             "correlation": CORRELATION, "regions": REGIONS}
BLOCKS_MAX = MOST_BLOCKS


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
