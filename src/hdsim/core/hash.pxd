# cython: language_level=3, wraparound=False, cdivision=True
"""The hash of a run: 64 bits over its executed contacts, in order."""


cdef extern from *:
    """
    #define HDSIM_HASH_START 0x9E3779B97F4A7C15ULL
    """
    const unsigned long long HASH_START "HDSIM_HASH_START"      # the hash of no contacts


cdef inline unsigned long long mixed(unsigned long long h, unsigned long long word) noexcept nogil:
    """Hash h extended by one word."""
    h = (h ^ word) * 0xFF51AFD7ED558CCDULL
    return h ^ (h >> 32)


cdef inline unsigned long long hashed(unsigned long long h, int i, int j, unsigned long long time) noexcept nogil:
    """Hash h extended by a contact: the lower disc, the other disc or the negative number of a wall, the bits of the time."""
    return mixed(mixed(mixed(h, <unsigned long long>i), <unsigned long long><long long>j), time)
