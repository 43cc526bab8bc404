# Refinement: which cells suit the present positions of the discs, and when they are chosen again.
# uses: state, motion
#
# This only makes the engine faster: any grid gives the same contacts, bit for bit. In a build with REFINEMENT 0 the cells are
# always those for the sizes of the discs. The bodies of `suit_cells` and of `learn`, which then returns False, can be deleted,
# and in `set_refinement_due` all but the two assignments that no condition guards.
from libc.limits cimport LLONG_MAX
from libc.math cimport ldexp

from hdsim.core.axes cimport AXES, product
from hdsim.core.cells cimport cells_set
from hdsim.core.counters cimport contacts_of
from hdsim.core.grid cimport Radii, refined_grid, refinements_for_positions
from hdsim.core.level cimport Grid, same_grid
from hdsim.core.mechanisms cimport REFINEMENT
from hdsim.core.refinement cimport WORK_LEAST, Work, predictions_too_many, coarsening_end, coarsening_learn, coarsening_stop
from hdsim.core.tolerances cimport contacts_to_rebase

cdef enum:
    BACKOFF_MOST = 64           # the largest `refinement.backoff`: it doubles when the same cells are chosen again


cdef void suit_cells(EngineC* e, const Radii* radii, double clock, double low) noexcept nogil:
    """Choose the cells that suit the positions of the discs at clock + low. Without memory for them, the present cells stay."""
    cdef Grid grid
    cdef int places, refinements
    cdef Moment moment = Moment(e, clock, low)
    # Few pairs were compared per contact, so no region where discs collide is dense, and the discs need not be counted.
    if e.cells.grid.buckets == 0 and predictions_too_many(work_since(e), e.cells.levels) < 0:
        return
    learn(e)
    places = refinements_for_positions(radii, e.box.length, place_at, &moment, e.affected.disc)
    if places != e.refinement.places:
        coarsening_stop(&e.refinement.coarsening)
    e.refinement.places = places
    e.refinement.coarsening.refinements = min(e.refinement.coarsening.refinements, places)
    refinements = max(places - e.refinement.coarsening.refinements, 0)
    grid = refined_grid(radii, e.box.length, e.options.with_days, refinements)
    if refinements > e.refinement.refinements and same_grid(&grid, &e.cells.grid):  # the cells cannot be narrower
        coarsening_end(&e.refinement.coarsening, contacts_of(&e.counters.statistics), e.n)
        refinements = max(places - e.refinement.coarsening.refinements, 0)
        grid = refined_grid(radii, e.box.length, e.options.with_days, refinements)
    if same_grid(&grid, &e.cells.grid) or not cells_set(&e.cells, grid):
        e.refinement.backoff = min(2 * e.refinement.backoff, BACKOFF_MOST)
    else:
        e.refinement.backoff = BACKOFF_LEAST
    if same_grid(&grid, &e.cells.grid):     # the cells are these now
        e.refinement.refinements = refinements
        e.refinement.area = ldexp(product(e.box.length), -AXES * refinements)


cdef void continue_refinement(EngineC* e, const EngineC* other) noexcept nogil:
    """Take over what another engine has learnt about the cost of cells."""
    e.refinement.coarsening = other.refinement.coarsening
    note_work(e)


cdef inline Work work_since(const EngineC* e) noexcept nogil:
    """The work since the last call of `note_work`."""
    cdef Work w
    w.contacts = contacts_of(&e.counters.statistics) - e.refinement.noted.contacts
    w.crossings = e.counters.statistics.crossings - e.refinement.noted.crossings
    w.predictions = e.counters.statistics.predictions - e.refinement.noted.predictions
    return w


cdef inline void note_work(EngineC* e) noexcept nogil:
    """Begin to count the work anew: `work_since` is zero now."""
    e.refinement.noted.contacts = contacts_of(&e.counters.statistics)
    e.refinement.noted.crossings = e.counters.statistics.crossings
    e.refinement.noted.predictions = e.counters.statistics.predictions


cdef inline bint learn(EngineC* e) noexcept nogil:
    """Let `Coarsening` learn from the work since the last time. Returns True if another grid should be chosen."""
    cdef int refinements = e.refinement.coarsening.refinements
    if not REFINEMENT:
        return False
    if coarsening_learn(&e.refinement.coarsening, work_since(e), e.cells.levels, e.cells.grid.buckets != 0,
                   contacts_of(&e.counters.statistics), e.n):
        note_work(e)
    return e.refinement.coarsening.refinements != refinements


cdef inline long long rebase_due(const EngineC* e) noexcept nogil:
    """Number of contacts after which the origin of time moves."""
    return contacts_to_rebase(e.n)


cdef inline void restart_refinement_counters(EngineC* e) noexcept nogil:
    """Count the work anew, and set when the cells are reconsidered next."""
    note_work(e)
    set_refinement_due(e)


cdef inline void set_refinement_due(EngineC* e) noexcept nogil:
    """Set after how many contacts or crossings the cells are reconsidered: later if cells are hashed, because discs need some
    crossings to spread over the windows of new cells; sooner if no dense region is known."""
    cdef bint hashed = e.cells.grid.buckets != 0
    cdef long long apart = max(e.refinement.backoff * <long long>e.n // (2 if hashed else 8), <long long>WORK_LEAST)
    e.refinement.crossings_due = LLONG_MAX
    e.refinement.refinement_due = rebase_due(e)
    if REFINEMENT and e.options.suiting and not e.modes.lists_in_use:
        e.refinement.crossings_due = e.counters.statistics.crossings + (2 * apart if hashed else apart)
        e.refinement.refinement_due = min(e.refinement.refinement_due, e.clock.since_rebase + apart)
