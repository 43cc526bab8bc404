# Checks of what must be true between events, for tests.
# uses: state, obstacles, prediction, search, modes
from libc.math cimport INFINITY, fabs
from libc.string cimport memcmp

from hdsim.core.box cimport Image
from hdsim.core.calendar cimport calendar_check, calendar_has_more, calendar_key, calendar_link, calendar_partner
from hdsim.core.cells cimport LEVELS_MAX, Cells, Level, Place, cells_beside, cells_check
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.neighbour_list cimport lists_check
from hdsim.core.candidates cimport View
from hdsim.core.disc cimport Disc, image_of_stored
from hdsim.core.prediction cimport Prediction, next_partner, next_time, no_prediction


cdef int check_earliest(EngineC* e) except -1:
    """Raise AssertionError if discs of adjacent cells, or a disc and a wall or obstacle, touch before the first event of the
    queue; if a disc is outside its window; or if, on a level where the minimum image is valid, the image by the cells is not the
    nearest one."""
    cdef Cells* c = &e.cells
    cdef int i, k
    cdef Image image
    cdef int* place
    cdef View* view = &e.search[0].view
    cdef Prediction prediction
    cdef double first = e.queue.top_key if calendar_has_more(&e.queue) else INFINITY
    for i in range(e.n):
        prediction = no_prediction()
        consider_walls(e, i, &prediction)
        consider_all_features(e, i, &prediction)
        # The loop may have executed crossings later than the clock of the system. And if no contact will ever come, that clock
        # may be later than crossings that were not executed.
        set_view(view, &e.disc[i], min(max(e.clock.now, e.clock.current), first))
        place = c.near
        cells_neighbours(c, i, -1, -1, 3, 3, 0, LEVELS_MAX)
        for k in range(c.batches):
            while place != c.batch[k].end:
                image = image_of_stored(c.batch[k].image, &e.disc[i], &e.disc[place[0]])
                consider_exactly(e, i, place[0], image, &prediction)
                if min(c.place[i].rank, c.place[place[0]].rank) >= e.modes.minimum_image and cells_beside(c, i, place[0]) and (
                        fabs(image.x + turns_along(view, &e.disc[place[0]], 0)) > 0.5
                        or fabs(image.y + turns_along(view, &e.disc[place[0]], 1)) > 0.5):
                    raise AssertionError(f"({image.x}, {image.y}) is not the image of disc {place[0]} nearest to disc {i}")
                place += 1
        if prediction.t < first:
            raise AssertionError(f"disc {i} touches {prediction.partner} at {prediction.t!r}, but the queue begins at {first!r}")
        check_window(e, i, view)
    return 0


cdef int check_window(const EngineC* e, int i, const View* view) except -1:
    """Raise AssertionError unless disc i, at the clock of its view, is in the window of its cell, and in the window of its
    neighbour list if there are lists."""
    cdef const Disc* d = &e.disc[i]
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef double x = view.r[0] - d.wrap.x * e.box.width
    cdef double y = view.r[1] - d.wrap.y * e.box.height
    if e.modes.lists_in_use and not max(fabs(x - e.lists.of[i].r[0]), fabs(y - e.lists.of[i].r[1])) <= e.lists.half + e.box.slack:
        raise AssertionError(f"disc {i} is at ({x!r}, {y!r}), more than {e.lists.half!r} from the centre of its window, "
                             f"({e.lists.of[i].r[0]!r}, {e.lists.of[i].r[1]!r})")
    x -= (at.column + 0.5) * v.side_x
    y -= (at.row + 0.5) * v.side_y
    # The window of a cell at a wall has no end there.
    if not e.box.periodic_x and (at.column == 0 and x < 0.0 or at.column == v.columns - 1 and x > 0.0):
        x = 0.0
    if not e.box.periodic_y and (at.row == 0 and y < 0.0 or at.row == v.rows - 1 and y > 0.0):
        y = 0.0
    if fabs(x) + d.radius > v.side_x + e.box.slack or fabs(y) + d.radius > v.side_y + e.box.slack:
        raise AssertionError(f"disc {i} is ({x!r}, {y!r}) from the centre of its cell, which has the sides ({v.side_x!r}, "
                             f"{v.side_y!r})")
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
    for i in range(e.n):
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
