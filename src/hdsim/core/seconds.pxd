# cython: language_level=3, wraparound=False, cdivision=True
"""The wall clock, for the time slices of a run."""


cdef extern from *:
    """
    #ifdef _WIN32
    #define WIN32_LEAN_AND_MEAN
    #define NOMINMAX
    #include <windows.h>
    #undef near     /* macros kept from 16-bit Windows; here they are names of variables */
    #undef far
    static double seconds_now(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (double)count.QuadPart / (double)frequency.QuadPart;
    }
    #else
    #include <time.h>
    static double seconds_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double seconds_now() noexcept nogil     # wall-clock time, of a clock that never goes back
