# cython: language_level=3, wraparound=False, cdivision=True
"""The mechanisms that only make the engine faster, and whether a build has them: constants of the C compiler, 0 or 1.

The code of a mechanism begins with a test of its constant, so a build without it has none of its code, and gives the same
results bit for bit. The files named below explain what a mechanism does, and why the engine works without it.
"""


cdef extern from "hdsim/core/hdsim_mechanisms.h":
    enum:
        REFINEMENT "HDSIM_REFINEMENT"                   # narrower cells for dense regions: engine/refinement.pxi
        PREFETCH "HDSIM_PREFETCH"                       # prefetching: core/memory.pxd, engine/prefetch.pxi
        DELAYED_INSERTION "HDSIM_DELAYED_INSERTION"     # items put into distant days a little later: core/calendar.pxd
        LISTING_AHEAD "HDSIM_LISTING_AHEAD"             # discs put into the cell ahead after a contact: engine/placement.pxi
