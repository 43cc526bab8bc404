# Which cells suit the discs where they are now, and when that is asked again.
# uses: state, counting, motion
#
# A mechanism for speed alone: any grid gives the same contacts, bit for bit. Without it (REFINEMENT 0) the cells stay those that
# the sizes of the discs ask for. The bodies of `suit_cells` and `learn` can be deleted, `learn` returning False; of
# `set_refinement_due` only the two assignments stay that no condition guards.
from libc.limits cimport LLONG_MAX
from libc.math cimport ldexp

from hdsim.core.cells cimport Grid, cells_set, same_grid
from hdsim.core.grid cimport Radii, refined_grid, refinements_for_positions
from hdsim.core.mechanisms cimport REFINEMENT
from hdsim.core.refinement cimport WORK_LEAST, Work, predictions_too_many, coarsening_end, coarsening_learn, coarsening_stop

cdef enum:
    REBASE_PER_DISC = 8         # contacts per disc between two moves of the time origin
    REBASE_LEAST = 64
    BACKOFF_MOST = 64           # ... if the same cells were chosen again and again


cdef void suit_cells(EngineC* e, const Radii* radii, double clock, double low) noexcept nogil:
    """Have the cells that suit where the discs are now; or keep those that there are, if there is no memory."""
    cdef Grid grid
    cdef int places, refinements
    cdef Moment moment = Moment(e, clock, low)
    # Nobody has looked at many others, so there is no crowd where anything happens, and nobody to be counted.
    if e.cells.grid.buckets == 0 and predictions_too_many(work_since(e), e.cells.levels) < 0:
        return
    learn(e)
    places = refinements_for_positions(radii, e.box.width, e.box.height, place_at, &moment, e.affected.disc)
    if places != e.refinement.places:
        coarsening_stop(&e.refinement.coarsening)
    e.refinement.places = places
    e.refinement.coarsening.refinements = min(e.refinement.coarsening.refinements, places)
    refinements = max(places - e.refinement.coarsening.refinements, 0)
    grid = refined_grid(radii, e.box.width, e.box.height, e.options.with_days, refinements)
    if refinements > e.refinement.refinements and same_grid(&grid, &e.cells.grid):  # there are none that are narrower
        coarsening_end(&e.refinement.coarsening, contacts_of(&e.counters.statistics), e.n)
        refinements = max(places - e.refinement.coarsening.refinements, 0)
        grid = refined_grid(radii, e.box.width, e.box.height, e.options.with_days, refinements)
    if same_grid(&grid, &e.cells.grid) or not cells_set(&e.cells, grid):
        e.refinement.backoff = min(2 * e.refinement.backoff, BACKOFF_MOST)
    else:
        e.refinement.backoff = BACKOFF_LEAST
    if same_grid(&grid, &e.cells.grid):     # now
        e.refinement.refinements = refinements
        e.refinement.area = ldexp(e.box.width * e.box.height, -2 * refinements)


cdef void continue_refinement(EngineC* e, const EngineC* other) noexcept nogil:
    """Go on with what another engine has learnt about the cost of cells."""
    e.refinement.coarsening = other.refinement.coarsening
    note_work(e)


cdef inline Work work_since(const EngineC* e) noexcept nogil:
    """What has been done since `note_work`."""
    cdef Work w
    w.contacts = contacts_of(&e.counters.statistics) - e.refinement.noted.contacts
    w.crossings = e.counters.statistics.crossings - e.refinement.noted.crossings
    w.predictions = e.counters.statistics.predictions - e.refinement.noted.predictions
    return w


cdef inline void note_work(EngineC* e) noexcept nogil:
    """Count from here on."""
    e.refinement.noted.contacts = contacts_of(&e.counters.statistics)
    e.refinement.noted.crossings = e.counters.statistics.crossings
    e.refinement.noted.predictions = e.counters.statistics.predictions


cdef inline bint learn(EngineC* e) noexcept nogil:
    """Learn from the work since the last time; is another grid due?"""
    cdef int refinements = e.refinement.coarsening.refinements
    if not REFINEMENT:
        return False
    if coarsening_learn(&e.refinement.coarsening, work_since(e), e.cells.levels, e.cells.grid.buckets != 0,
                   contacts_of(&e.counters.statistics), e.n):
        note_work(e)
    return e.refinement.coarsening.refinements != refinements


cdef inline long long rebase_due(const EngineC* e) noexcept nogil:
    """After so many contacts the origin of time moves."""
    return REBASE_LEAST + REBASE_PER_DISC * <long long>e.n


cdef inline void restart_refinement_counters(EngineC* e) noexcept nogil:
    """Look for one later, and by what happens from here on."""
    note_work(e)
    set_refinement_due(e)


cdef inline void set_refinement_due(EngineC* e) noexcept nogil:
    """After so many contacts, or crossings, one looks for a crowd again. It takes some until a disc is anywhere in its window;
    but where no crowd is known, one looks soon."""
    cdef bint hashed = e.cells.grid.buckets != 0
    cdef long long apart = max(e.refinement.backoff * <long long>e.n // (2 if hashed else 8), <long long>WORK_LEAST)
    e.refinement.crossings_due = LLONG_MAX
    e.refinement.refinement_due = rebase_due(e)
    if REFINEMENT and e.options.suiting and not e.modes.lists_in_use:
        e.refinement.crossings_due = e.counters.statistics.crossings + (2 * apart if hashed else apart)
        e.refinement.refinement_due = min(e.refinement.refinement_due, e.clock.since_rebase + apart)
