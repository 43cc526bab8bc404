# cython: language_level=3, wraparound=False, cdivision=True
"""Marks on the buckets of a level of cells, a bit each: those of 20,000 cells stay in the nearest cache."""
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memset


cdef enum:
    BITS = 64               # of a word


cdef inline size_t mark_words(size_t buckets) noexcept nogil:
    return (buckets + BITS - 1) // BITS


cdef inline uint64_t* marks_create(size_t buckets) noexcept nogil:
    """No bucket is marked. NULL without memory."""
    return <uint64_t*>calloc(mark_words(buckets) + 1, sizeof(uint64_t))


cdef inline void marks_clear(uint64_t* marks, size_t buckets) noexcept nogil:
    memset(marks, 0, mark_words(buckets) * sizeof(uint64_t))


cdef inline void mark(uint64_t* marks, Py_ssize_t bucket) noexcept nogil:
    marks[bucket // BITS] |= <uint64_t>1 << (bucket % BITS)


cdef inline bint is_marked(const uint64_t* marks, Py_ssize_t bucket) noexcept nogil:
    return (marks[<size_t>bucket // BITS] >> (<size_t>bucket % BITS)) & 1
