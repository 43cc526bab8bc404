# Checks of what must be true between events, for tests.
# uses: state, movers, pistons, prediction, modes
from libc.math cimport INFINITY, fabs, sqrt
from libc.string cimport memcmp

from hdsim.core.box cimport Image
from hdsim.core.calendar cimport calendar_check, calendar_has_more, calendar_key, calendar_link, calendar_partner
from hdsim.core.axes cimport AXES, largest_of, square
from hdsim.core.cells cimport Cells, Place, cells_beside, cells_check
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.level cimport LEVELS_MAX, Block, Level, whole_block
from hdsim.core.neighbour_list cimport lists_check
from hdsim.core.disc cimport Disc, cell_coordinate_at, coordinate_at, image_of_stored
from hdsim.core.prediction cimport Prediction, next_partner, next_time, no_prediction
from hdsim.core.queue cimport NO_PARTNER


cdef int check_earliest(EngineC* e) except -1:
    """Raise AssertionError if discs of adjacent cells, or a disc and a wall or obstacle, touch before the first event of the
    queue; if a disc is outside its window; or if, on a level where the minimum image is valid, the image by the cells is not the
    nearest one."""
    cdef Cells* c = &e.cells
    cdef int i, k
    cdef Image image
    cdef int* place
    cdef Block around = whole_block()
    # The loop may have executed crossings later than the clock of the system. And if no contact will ever come, that clock may be
    # later than crossings that were not executed.
    cdef double clock
    cdef Prediction prediction
    # With gravity, nothing is known beyond the clock at which the origin moves.
    cdef double first = min(e.queue.top_key if calendar_has_more(&e.queue) else INFINITY, e.law.fall.due)
    clock = min(max(e.clock.now, e.clock.current), first)
    for i in range(e.n):
        prediction = no_prediction()
        consider_walls(e, i, INFINITY, &prediction)
        consider_all_obstacles(e, i, &prediction, e.stored[i].prediction.crossing_time)
        consider_every_piston(e, i, &prediction)
        place = c.near
        cells_neighbours(c, i, &around, 0, LEVELS_MAX)
        for k in range(c.batches):
            while place != c.batch[k].end:
                image = image_of_stored(c.batch[k].image, &e.disc[i], &e.disc[place[0]])
                consider_exactly(e, i, place[0], image, &prediction)
                if min(c.place[i].rank, c.place[place[0]].rank) >= e.modes.minimum_image and cells_beside(c, i, place[0]) and (
                        not is_nearest(e, i, place[0], image, clock)):
                    raise AssertionError(f"{[image.at[k] for k in range(AXES)]} is not the image of disc {place[0]} nearest to "
                                         f"disc {i}")
                place += 1
        if prediction.t < first and prediction.partner != NO_PARTNER:       # which only looks again then
            raise AssertionError(f"disc {i} touches {prediction.partner} at {prediction.t!r}, but the queue begins at {first!r}")
        check_window(e, i, clock)
    return 0


cdef bint is_nearest(const EngineC* e, int i, int j, Image image, double clock) noexcept:
    """Is this image of the stored position of disc j the nearest one to disc i at a clock, along each axis?"""
    cdef int k
    for k in range(AXES):
        if fabs(image.at[k] + (coordinate_at(&e.disc[j], k, clock) - coordinate_at(&e.disc[i], k, clock))
                * e.box.per_length[k]) > 0.5:
            return False
    return True


cdef int check_window(const EngineC* e, int i, double clock) except -1:
    """Raise AssertionError unless disc i, at this clock, is in the window of its cell, and in the window of its neighbour list if
    there are lists."""
    cdef const Disc* d = &e.disc[i]
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef double x, apart
    cdef double from_centre[AXES]
    cdef int k
    for k in range(AXES):
        x = cell_coordinate_at(d, k, clock, &e.box)
        from_centre[k] = x - e.lists.of[i].r[k] if e.modes.lists_in_use else 0.0
        apart = x - (at.at[k] + 0.5) * v.side[k]
        # The window of a cell at a wall has no end there.
        if not e.box.periodic[k] and (at.at[k] == 0 and apart < 0.0 or at.at[k] == v.cells[k] - 1 and apart > 0.0):
            apart = 0.0
        if fabs(apart) + d.radius > v.side[k] + e.box.slack:
            raise AssertionError(f"disc {i} is {apart!r} along axis {k} from the centre of its cell, which has the side "
                                 f"{v.side[k]!r}")
    apart = largest_of(from_centre) if AXES == 2 else sqrt(square(from_centre))
    if e.modes.lists_in_use and not apart <= e.lists.half + e.box.slack:
        raise AssertionError(f"disc {i} is {[from_centre[k] for k in range(AXES)]} from the centre of its window, farther than "
                             f"{e.lists.half!r}")
    return 0


cdef int modes_check(EngineC* e) except -1:
    """Raise AssertionError if the modes are not those that follow from cells, sizes and speeds. Exempt: a speed has left or
    entered the extreme range since they were derived."""
    cdef Modes modes = e.modes
    derive_modes(e)
    if modes.extreme_range == e.modes.extreme_range and memcmp(&modes, &e.modes, sizeof(Modes)) != 0:
        raise AssertionError(f"the modes are {modes}, but {e.modes} follow from the cells")
    e.modes = modes
    return 0


cdef int engine_check(EngineC* e) except -1:
    """Raise AssertionError if an invariant of cells, queue, clocks, neighbour lists or predictions does not hold. For tests."""
    cdef int i, partner
    cdef double time
    cells_check(&e.cells)
    calendar_link(&e.queue)
    calendar_check(&e.queue)
    for i in range(bodies_of(e)):
        time = next_time(&e.stored[i].prediction)
        partner = next_partner(&e.stored[i].prediction)
        if calendar_key(&e.queue, i) != time or calendar_partner(&e.queue, i) != partner:
            raise AssertionError(f"disc {i}: queued for {calendar_key(&e.queue, i)!r} with {calendar_partner(&e.queue, i)}, "
                                 f"predicted for {time!r} with {partner}")
        if e.disc[i].t > e.clock.now:
            raise AssertionError(f"disc {i} has the clock {e.disc[i].t!r}, the system {e.clock.now!r}")
    if e.modes.lists_in_use:
        lists_check(&e.lists, &e.cells, e.disc)
    modes_check(e)
    check_earliest(e)
    return 0
