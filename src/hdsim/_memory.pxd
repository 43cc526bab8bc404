# cython: language_level=3, wraparound=False, cdivision=True
"""Memory for large arrays that are read at random places.

On Linux they get huge pages where the system grants them on request: with small ones, nearly every access to a million
discs first has to look its page up.
"""

cdef extern from *:
    """
    #include <stdlib.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    static void* hdsim_allocate(size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const size_t page = (size_t)1 << 21;
        void* place = NULL;
        if (size >= 2 * page && posix_memalign(&place, page, size) == 0) {
            (void)madvise(place, size / page * page, MADV_HUGEPAGE);     /* a wish */
            return place;
        }
    #endif
        return malloc(size ? size : 1);
    }
    """
    # To be given back with free(); NULL if there is none.
    void* allocate "hdsim_allocate"(size_t size) noexcept nogil
