# cython: language_level=3, wraparound=False, cdivision=True
"""Memory for large arrays that are read at random places, and how to ask for a place before it is needed.

On Linux they get huge pages where the system grants them on request: with small ones, nearly every access to a million
discs first has to look its page up.
"""

cdef extern from *:
    """
    #include <stdlib.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    #if defined(__GNUC__)
    /* What is needed now comes into the first level of the cache. That has few buffers for what is on its way, and all else
       would wait for them, so what is needed later comes into the second one. The empty statement does nothing but be there:
       GCC takes a function that only prefetches for one without effect, and leaves out its calls. */
    #define fetch_soon(address) do { __builtin_prefetch(address, 0, 2); __asm__ volatile (""); } while (0)
    #define fetch_now(address) do { __builtin_prefetch(address, 0, 3); __asm__ volatile (""); } while (0)
    #else
    #define fetch_soon(address) ((void)(address))
    #define fetch_now(address) ((void)(address))
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
    void fetch_soon(const void* address) noexcept nogil     # this will be read ...
    void fetch_now(const void* address) noexcept nogil      # ... within this event
