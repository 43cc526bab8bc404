# Reading tables of numbers from text, for Python.
# uses: nothing
from hdsim.core.text cimport text_read


def parse_table(bytes data not None, Py_ssize_t start, double[:, ::1] table not None):
    """Read blank-separated numbers from data[start:] into `table`, row after row.

    table: (rows, columns), C-contiguous. Returns (values, offset): how many numbers were read, and where reading stopped: at the
    first token that is no number, at the first token after a full table, or at len(data). IndexError if `start` is not in
    0 ... len(data).
    """
    cdef Py_ssize_t capacity = table.shape[0] * table.shape[1]
    cdef Py_ssize_t offset = start
    cdef Py_ssize_t values
    if not 0 <= start <= len(data):
        raise IndexError(f"start must be in 0 ... {len(data)}, got {start}")
    values = text_read(data, len(data), &offset, &table[0, 0] if capacity else NULL, capacity)
    return values, offset
