# What this build has: the number of axes, vectors, mechanisms for speed.
# uses: nothing
from hdsim.core.axes cimport AXES
from hdsim.core.candidates cimport PLAIN, WIDEST, vectors_here
from hdsim.core.mechanisms cimport DELAYED_INSERTION, LISTING_AHEAD, PREFETCH, REFINEMENT


globals().update(AXES=AXES)                     # for Python; its own name is that of the constant of C
EXACT_IN_VECTORS = vectors_here() != PLAIN      # are exact contact times computed in vectors ...
EXACT_IN_EIGHTS = vectors_here() == WIDEST      # ... of eight?
# The mechanisms for speed that this build has; simple: it has none.
build_info = {"simple": not (REFINEMENT or PREFETCH or DELAYED_INSERTION or LISTING_AHEAD), "refinement": bool(REFINEMENT),
              "prefetch": bool(PREFETCH), "delayed_insertion": bool(DELAYED_INSERTION), "listing_ahead": bool(LISTING_AHEAD)}
