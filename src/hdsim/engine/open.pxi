# For an engine without obstacles: what its other rooms ask of obstacles and gates.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.axes cimport total
from hdsim.core.box cimport Image
from hdsim.core.cluster cimport Contact
from hdsim.core.disc cimport Disc
from hdsim.core.mover cimport Mover, Turns
from hdsim.core.obstacle cimport Feature
from hdsim.core.obstacle_cells cimport Placed
from hdsim.core.prediction cimport Prediction


cdef inline double size_of_box(const EngineC* e) noexcept nogil:
    """A bound for the coordinates of discs and of what they can touch."""
    return total(e.box.length)


cdef inline void obstacles_place(EngineC* e, double smallest) noexcept nogil:
    """No list is to be made."""


cdef inline void obstacles_rebase(EngineC* e) noexcept nogil:
    """No obstacle has clocks."""


cdef inline void skip_changes(EngineC* e, double time) noexcept nogil:
    """There are none to skip."""


cdef inline void next_change(EngineC* e) noexcept nogil:
    """There is none to go on with."""


cdef inline void continue_changes(EngineC* e, int next_one) noexcept nogil:
    """There are none to continue."""


cdef inline const Placed* listed_features(const EngineC* e, int i, int* count) noexcept nogil:
    """A disc can touch no feature."""
    cdef const Placed* none = NULL
    count[0] = 0
    return none


cdef inline bint is_beset(const EngineC* e, int i, double limit) noexcept nogil:
    """A disc can touch no obstacle."""
    return False


cdef inline void let_fall(EngineC* e) noexcept nogil:
    """Nothing is to be made ready."""


cdef inline void set_obstacle_rebound(EngineC* e, int obstacle, double factor) noexcept nogil:
    """There is none to set it of."""


cdef inline void consider_obstacles(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """There are none to consider."""


cdef inline void consider_all_obstacles(const EngineC* e, int i, Prediction* c, double limit) noexcept nogil:
    """There are none to consider."""


cdef inline Turns turns_beside(const EngineC* e, int i, const Mover* m, double t) noexcept nogil:
    """No obstacle moves."""
    return Turns(0, -1, 0, -1)


cdef inline double speed_of_movers(const EngineC* e, double t) noexcept nogil:
    """No obstacle moves."""
    return 0.0


cdef inline void set_surface(const EngineC* e, Contact* c, double t) noexcept nogil:
    """No surface moves."""


cdef inline Disc seen_by(const EngineC* e, const Feature* f, const Disc* d, double t) noexcept nogil:
    """A disc as all features see it: as it is."""
    return d[0]


cdef inline double time_in_leg(const EngineC* e, int i, const Feature* f, const Disc* d, double t, double shift_x,
                               double shift_y) noexcept nogil:
    """No feature is touched."""
    return INFINITY


cdef struct Flown:              # the last flight of a disc, straight, before its stored state
    Disc before
    double t


cdef inline void keep_sides(EngineC* e, int i, const Flown* flown) noexcept nogil:
    """No face is crossed."""


cdef inline void keep_off(EngineC* e, int i, const Disc* before, double t) noexcept nogil:
    """Nothing moves."""


cdef inline void keep_turned(EngineC* e, int i) noexcept nogil:
    """No surface has been left."""


cdef inline bint is_pinched(const EngineC* e) noexcept nogil:
    """Nothing moves that pinches."""
    return False


cdef inline void note_no_room(EngineC* e, const Contact* c, const Disc* before, double t) noexcept nogil:
    """Nothing moves that takes room."""


cdef inline void begin_pinch(EngineC* e) noexcept nogil:
    """Nothing is pinched."""


cdef inline bint may_pass(const EngineC* e, int i, const Feature* f, Image image) noexcept nogil:
    """No disc has a permission."""
    return False


cdef inline bint grants(const EngineC* e, int i, const Feature* f, Image image) noexcept nogil:
    """No gate lets a disc pass."""
    return False


cdef inline int let_in(EngineC* e, int i, const Feature* f, Image image) except -1 nogil:
    """No gate gives a permission."""
    return 0


cdef inline void count_refused(EngineC* e, int gate, const Feature* f, double normal_x, double normal_y) noexcept nogil:
    """No gate counts."""


cdef inline void end_permissions(EngineC* e, int i, double t) noexcept nogil:
    """No permission ends."""
