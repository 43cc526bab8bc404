# cython: language_level=3, wraparound=False, cdivision=True
"""Memory for large arrays that are read at random places, and prefetching.

On Linux, `allocate` asks for huge pages: with small ones, nearly every access to a million discs misses the TLB, the cache of
page addresses. `allocate_zeros` is for arrays sized for the worst case: their pages are small, and those that are never written
take no memory.
"""

from libc.stdlib cimport realloc

cdef enum:
    FETCH_LEAST = 20000     # discs: fewer stay in the last cache, so that prefetching does not pay


cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>
    #include "hdsim/core/hdsim_mechanisms.h"
    #define HDSIM_LINE 64                       /* bytes of a cache line: an item of this size should not lie across two */
    #ifdef __linux__
    #include <sys/mman.h>
    #define HDSIM_PAGES ((size_t)1 << 17)   /* bytes: zeros for less come from calloc, for more from mmap */
    #endif

    #if defined(__GNUC__) && HDSIM_PREFETCH
    /* Data needed at once go to the first-level cache. That has few buffers for lines on their way, and other loads would wait
       for these, so data needed later go to the second level. The empty statement is necessary: GCC takes a function that only
       prefetches for one without effect, and leaves out its calls. */
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
            (void)madvise(place, size / page * page, MADV_HUGEPAGE);     /* the system may refuse */
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

    /* calloc may reuse memory, which then takes pages even if it is not written again; mmap never does. */
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
    # Memory for `size` bytes, to be released with free(); NULL if there is no memory.
    void* allocate "hdsim_allocate"(size_t size) noexcept nogil
    # `size` bytes of zeros, to be released with free_zeros() and the same size; NULL if there is no memory.
    void* allocate_zeros "hdsim_allocate_zeros"(size_t size) noexcept nogil
    void free_zeros "hdsim_free_zeros"(void* place, size_t size) noexcept nogil
    # Copy `size` bytes to a place that holds zeros; pieces of 4096 zeros are not written, so their pages take no memory.
    void copy_to_zeros "hdsim_copy_to_zeros"(void* place, const void* source, size_t size) noexcept nogil
    void fetch_soon(const void* address) noexcept nogil     # prefetch an address that a later event needs
    void fetch_now(const void* address) noexcept nogil      # prefetch an address that is needed next


cdef inline int grow(void** block, int* room, int needed, size_t size) except -1 nogil:
    """Make room for `needed` entries of `size` bytes."""
    cdef void* bigger
    if needed <= room[0]:
        return 0
    bigger = realloc(block[0], <size_t>needed * 2 * size)
    if bigger == NULL:
        with gil:
            raise MemoryError(f"no memory for {needed} entries of {size} bytes")
    block[0] = bigger
    room[0] = needed * 2
    return 0
