# cython: language_level=3, wraparound=False, cdivision=True
"""Memory for large arrays that are read at random places, and how to ask for a place before it is needed.

On Linux they get huge pages where the system grants them on request: with small ones, nearly every access to a million
discs first has to look its page up. What is there for the worst case gets small ones, and none where nobody writes.
"""

cdef enum:
    FETCH_LEAST = 20000     # discs: fewer stay in the last cache


cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>
    #include "hdsim/core/hdsim_mechanisms.h"
    #define HDSIM_LINE 64                       /* bytes of a line of the cache: what is as large should not stand in two */
    #ifdef __linux__
    #include <sys/mman.h>
    #define HDSIM_PAGES ((size_t)1 << 17)   /* bytes from which on whole pages are asked for */
    #endif

    #if defined(__GNUC__) && HDSIM_PREFETCH
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
    #ifdef _WIN32
        return malloc(size ? size : 1);
    #else
        void* line = NULL;
        return posix_memalign(&line, HDSIM_LINE, size ? size : 1) == 0 ? line : NULL;
    #endif
    }

    /* calloc and malloc may use memory again that has been in use, and that is there whether anybody writes or not. */
    static void* hdsim_allocate_zeros(size_t size) {
    #ifdef __linux__
        if (size >= HDSIM_PAGES) {
            void* place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            return place == MAP_FAILED ? NULL : place;
        }
    #endif
        return calloc(size ? size : 1, 1);
    }

    static void hdsim_free_zeros(void* place, size_t size) {
    #ifdef __linux__
        if (size >= HDSIM_PAGES) {
            if (place)
                munmap(place, size);
            return;
        }
    #endif
        (void)size;
        free(place);
    }

    static void hdsim_copy_to_zeros(void* place, const void* source, size_t size) {
        char* to = (char*)place;
        const char* from = (const char*)source;
        while (size > 0) {
            const size_t piece = size < 4096 ? size : 4096;
            unsigned char seen = 0;
            for (size_t k = 0; k < piece; k++)
                seen |= (unsigned char)from[k];
            if (seen)
                memcpy(to, from, piece);
            to += piece;
            from += piece;
            size -= piece;
        }
    }
    """
    # To be given back with free(); NULL if there is none.
    void* allocate "hdsim_allocate"(size_t size) noexcept nogil
    # Zeros, to be given back with free_zeros() of the same size; NULL if there is no memory.
    void* allocate_zeros "hdsim_allocate_zeros"(size_t size) noexcept nogil
    void free_zeros "hdsim_free_zeros"(void* place, size_t size) noexcept nogil
    # Copy over zeros; stretches of zeros are not written.
    void copy_to_zeros "hdsim_copy_to_zeros"(void* place, const void* source, size_t size) noexcept nogil
    void fetch_soon(const void* address) noexcept nogil     # this will be read ...
    void fetch_now(const void* address) noexcept nogil      # ... within this event
