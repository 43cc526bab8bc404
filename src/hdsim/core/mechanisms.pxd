# cython: language_level=3, wraparound=False, cdivision=True
"""Which of the mechanisms that only make the engine faster a build has: constants of the C compiler, 0 or 1.

Each stands behind a test of its constant where it begins, so a build without it has no code of it, and does the same bit for
bit. What it does, and why the rest can do without it, is said where it stands.
"""


cdef extern from "hdsim/core/hdsim_mechanisms.h":
    enum:
        REFINEMENT "HDSIM_REFINEMENT"                   # other cells than those that sizes ask for: engine/refinement.pxi
        PREFETCH "HDSIM_PREFETCH"                       # memory asked for before its use: core/memory.pxd, engine/prefetch.pxi
        DELAYED_INSERTION "HDSIM_DELAYED_INSERTION"     # items put into distant days a little later: core/calendar.pxd
        LISTING_AHEAD "HDSIM_LISTING_AHEAD"             # discs listed in the cell ahead after a contact: engine/placement.pxi
