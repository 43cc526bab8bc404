# cython: language_level=3, wraparound=False, cdivision=True
"""How often cells are halved less, or more, than the places of discs tell: found by what collisions have cost.

Few discs may have most contacts, or many none, so places alone do not tell which cells are cheap. What has happened tells in
which direction better ones may be, but not whether they are: a few discs in one spot share a cell until cells are as small as
the spot, and cost as much as before until then. So a trial goes in one direction as long as that looks good, and ends with
what has cost least; after one that gained nothing it takes longer until the next. Only cells in which next to nobody is met by
who crosses them are made wider without a trial.

Called by engine/refinement.pxi alone, which says why the engine can do without: cells change what is looked at, never what is
found.
"""


cdef enum:
    WORK_LEAST = 256            # contacts, or crossings, that tell enough
    PREDICTIONS_FEW = 48        # for each contact; a uniform system has 15 to 40, and on several levels up to 160
    CROSSING_COST = 12          # in predictions, besides those that are made for it; 12 to 20, with the number of discs
    CROSSINGS_FEW = 2           # for each contact; a uniform system has .1 to 1.5, and if it is very thin 4
    CROSSING_LOOKS = 8          # with fewer predictions for each crossing, wider cells need no trial
    REFINEMENTS_AT_ONCE = 2
    COARSENING_MOST = 14        # halvings: there are never more
    REST_LEAST = 16             # contacts of each disc from the end of a trial to the next ...
    REST_MOST = 64              # ... after many that gained nothing


cdef struct Work:               # so much has been done with the cells that there are
    long long contacts
    long long crossings
    long long predictions


cdef struct Coarsening:
    int refinements             # fewer than places tell; below 0: more
    int direction               # of the trial: 1 to wider cells, -1 to narrower ones, 0 if there is none
    int first                   # the halvings with which it began ...
    int best                    # ... those that cost least in it ...
    double cost                 # ... and what that was, in predictions for each contact
    long long rest              # contacts of each disc until the next trial
    long long until             # no trial begins before so many contacts in all


cdef inline double cost_of(Work w) noexcept nogil:
    return (<double>w.predictions + <double>CROSSING_COST * w.crossings) / max(w.contacts, 1)


cdef inline double predictions_too_many(Work w, int levels) noexcept nogil:
    """More than in a system that is uniform."""
    return <double>w.predictions - <double>w.contacts * (PREDICTIONS_FEW if levels == 1 else 4 * PREDICTIONS_FEW)


cdef inline int step_towards_less(Work w, int levels, bint hashed) noexcept nogil:
    """How many halvings fewer, or more, may make for less work? Each halving leaves a quarter of the predictions that were too
    many, at best, and makes for twice as many crossings. folded: cells are halved already."""
    cdef double excess = predictions_too_many(w, levels)
    cdef double crossing = <double>CROSSING_COST * w.crossings
    cdef int step = 0
    while excess > 3.0 * crossing and step > -REFINEMENTS_AT_ONCE:
        excess *= 0.25
        crossing *= 2.0
        step -= 1
    if step == 0 and hashed and 3.0 * crossing > w.predictions and w.crossings > CROSSINGS_FEW * w.contacts:
        return 1
    return step


cdef inline void coarsening_stop(Coarsening* r) noexcept nogil:
    """Leave a trial, if there is one, with what has cost least: as when it has become void, because where discs are asks for
    other cells."""
    if r.direction != 0:
        r.refinements = r.best
        r.direction = 0


cdef inline void coarsening_end(Coarsening* r, long long contacts, int n) noexcept nogil:
    """The same where it has told what it can: the next one waits."""
    if r.direction == 0:
        return
    r.rest = REST_LEAST if r.best != r.first else min(2 * r.rest, <long long>REST_MOST)
    r.until = contacts + r.rest * n
    coarsening_stop(r)


cdef inline bint coarsening_learn(Coarsening* r, Work w, int levels, bint hashed, long long contacts, int n) noexcept nogil:
    """Learn from this work of n discs with `contacts` in all. False if it was too little to tell anything."""
    cdef int step
    cdef int before = r.refinements
    if w.contacts >= WORK_LEAST and r.direction != 0 and cost_of(w) < (0.9 if r.direction < 0 else 1.0) * r.cost:
        r.best = r.refinements
        r.cost = cost_of(w)
    if w.crossings >= WORK_LEAST and hashed and CROSSING_LOOKS * w.crossings > w.predictions:
        # As when a crowd is at rest, or has flown apart, and others cross its cells. There may be few contacts by now, so
        # that their cost cannot be compared.
        coarsening_end(r, contacts, n)
        if r.refinements <= before:
            r.refinements = min(before + 1, <int>COARSENING_MOST)
        return True
    if w.contacts < WORK_LEAST:
        return False
    step = step_towards_less(w, levels, hashed)
    if r.direction == 0 and step != 0 and (contacts >= r.until or cost_of(w) > 2.0 * r.cost):   # or all has changed
        r.direction = 1 if step > 0 else -1
        r.first = r.best = r.refinements
        r.cost = cost_of(w)
    if step * r.direction > 0 and -COARSENING_MOST <= r.refinements + step <= COARSENING_MOST:
        r.refinements += step
    else:
        coarsening_end(r, contacts, n)
    return True
