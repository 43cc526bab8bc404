# Cells, predictions and queue of an engine, to be shown.
# uses: state, movers, pistons, prediction, schedule, placement, simultaneous, audit, inspect, bindings/events, bindings/access,
#       bindings/timed
from libc.math cimport INFINITY, NAN
cimport cython

from hdsim.core.boundary cimport FIRST_OBSTACLE, SIDES
from hdsim.core.calendar cimport Calendar, calendar_begin, calendar_link, calendar_list_of
from hdsim.core.axes cimport AXES
from hdsim.core.cells cimport NO_DISC, Cells, cells_beside, cells_step
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.clock cimport time_at
from hdsim.core.level cimport LEVELS_MAX, Block, Level, block_begin, block_next, whole_block
from hdsim.core.neighbour_list cimport list_holds, list_overflows
from hdsim.core.prediction cimport Prediction, is_invalidated, next_time, no_prediction
from hdsim.core.queue cimport NO_PARTNER, queue_rank
from hdsim.core.timers cimport Timer, timer_time


@cython.auto_pickle(False)
cdef class Shown(Running):
    """Base of Engine: what can be looked at, and checked."""

    def near(self, int i):
        """(cells, discs): the cells around disc i, on all levels that hold discs, each as its low and then its high
        coordinates, in two axes (left, bottom, right, top); and the numbers of the discs in them, or of those in its neighbour
        list if it has one."""
        cdef int step[AXES]
        cdef int wrap, axis, k, up
        cdef int* place
        cdef Cells* c = &self.e.cells
        cdef Block around = whole_block()
        cdef Level* v
        self.check_disc(i)
        cells = []
        discs = set()
        self.claim(LOOKS)
        try:
            for k in range(c.levels):
                if c.level[k].population == 0:
                    continue
                v = &c.level[min(k, c.place[i].rank)]
                up = max(c.place[i].rank - k, 0)
                for _ in range(block_begin(&around, step)):
                    at = [cells_step(c.place[i].at[axis] >> up, step[axis], v.cells[axis], c.box.periodic[axis], &wrap)
                          for axis in range(AXES)]
                    if NO_DISC not in at:
                        cells.append(tuple([(at[axis] + end) * v.side[axis] for end in range(2) for axis in range(AXES)]))
                    block_next(&around, step)
            cells_neighbours(c, i, &around, 0, LEVELS_MAX)
            place = c.near
            while c.batches > 0 and place != c.batch[c.batches - 1].end:
                if (list_holds(&self.e.lists.of[i], place[0])
                        if self.e.modes.lists_in_use and not list_overflows(&self.e.lists.of[i])
                        else cells_beside(c, i, place[0])):
                    discs.add(place[0])
                place += 1
        finally:
            self.release()
        discs.discard(i)
        return sorted(set(cells), key=lambda cell: (cell[AXES - 1::-1], cell[AXES])), sorted(discs)

    def keys(self, double[::1] out):
        """Write the time from now to the next event of each disc to `out`, (n,). No contact that it has predicted is earlier."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        for i in range(self.e.n):
            out[i] = next_time(&self.e.stored[i].prediction) - self.e.clock.now
        self.release()

    def predict_free_flight(self, const int[::1] discs, double span, double[::1] times, int[::1] partners, long long most=FOREVER,
                            double max_seconds=INFINITY):
        """Find the contacts that these discs would have within `span` from now if no velocity changed. For these discs and for
        their partners, write the earliest one: its time to `times`, (n,), which must hold infinities before, and the partner, a
        disc, -4 ... -1 for left, right, bottom, top, or -5 - k for obstacle k, to `partners`, (n,). On periodic axes images are
        considered up to IMAGES_FAR box lengths away. Returns the number of pairs compared, each image counted. RuntimeError if
        more than `most` pairs have no contact, and after max_seconds."""
        cdef int i, k
        cdef bint found = False
        cdef long long looked = 0
        cdef double end = NAN
        cdef EngineC* e = self.e
        cdef Prediction fixed
        check_rows("times", times.shape[0], e.n)
        check_rows("partners", partners.shape[0], e.n)
        for k in range(discs.shape[0]):
            self.check_disc(discs[k])
        self.claim(LOOKS)
        try:
            for i in range(e.n):
                note_speed(e, i)
            for k in range(discs.shape[0]):
                i = discs[k]
                if k & 15 == 0 and next_deadline(&end, max_seconds) == 0.0:
                    raise RuntimeError(f"no schedule was found within max_seconds = {max_seconds!r}")
                fixed = no_prediction()
                consider_walls(e, i, INFINITY, &fixed)
                consider_all_obstacles(e, i, &fixed, INFINITY)
                consider_every_piston(e, i, &fixed)
                if fixed.partner == NO_PARTNER:
                    fixed.t = INFINITY
                note_earlier(e, fixed.t, i, fixed.partner, span, times, partners)
                looked += free_flight_pairs(e, i, span, times, partners)
                found |= times[i] < INFINITY
                if looked > most and not found:
                    raise RuntimeError(f"no contact among {most:,} pairs, with their images on periodic axes; these discs may "
                                       f"fly past each other for ever")
            for i in range(e.n):
                if times[i] < INFINITY:
                    times[i] = time_at(&e.clock, times[i], 0.0)
                    partners[i] = number_of_partner(e, partners[i])
            return looked
        finally:
            self.release()

    cdef int add_row(self, list rows, int item, double key) except -1:
        """Append (time, kind, discs, wall or obstacle, item) of an item of the queue to `rows`; key: its clock in the queue."""
        cdef EngineC* e = self.e
        cdef const Prediction* c = &e.stored[item].prediction if item < bodies_of(e) else NULL
        cdef const Timer* timer
        cdef tuple discs = (item,)
        cdef int number
        wall = None
        if item == change_item(e):
            rows.append((e.obstacles.change[e.obstacles.next_change].time, "device", (),
                         e.obstacles.change[e.obstacles.next_change].obstacle, item))
            return 0
        if item >= bodies_of(e):
            timer = &e.timers.at[item - bodies_of(e)]
            rows.append((timer_time(timer), TIMER_KINDS[timer.redraw], (), None, item))
            return 0
        if key == INFINITY:
            kind = "never"
        elif c.crossing_time <= c.t:
            kind = "crossing"
        elif is_invalidated(&e.stored[item], e.disc, item):
            kind = "re-prediction"
        elif c.partner < 0 or max(item, c.partner) >= e.n:
            kind = "wall"
            discs = (min(item, c.partner),) if c.partner >= 0 else discs
            number = number_of_partner(e, max(item, c.partner) if c.partner >= 0 else c.partner)
            wall = WALLS[number + SIDES] if number >= -SIDES else FIRST_OBSTACLE - number
        else:
            kind = "pair"
            discs = (min(item, c.partner), max(item, c.partner))
        rows.append((time_at(&e.clock, key, 0.0) if key < INFINITY else INFINITY, kind, discs, wall, item))
        return 0

    def queue(self, int k):
        """(days, length of a day): the first k items of the queue. days: a list of (day, time at which it begins, number of its
        items, are they in a heap, rows). A row is (time, kind, discs, wall, item), where `wall` is the name of a wall or the
        number of an obstacle; rows are slot by slot in a heap, else in order of time. Day -1 is all later years. A queue without
        days is one heap, and the length is NaN."""
        cdef Calendar* q = &self.e.queue
        cdef int s, item, head, ahead
        cdef int left = k
        days = []
        self.claim(LOOKS)
        try:
            calendar_link(q)
            if q.heap.size > 0 or q.days == 0:
                rows = []
                for s in range(min(k, q.heap.size)):
                    self.add_row(rows, q.heap.heap[s].item, q.heap.heap[s].key)
                days.append((q.today, time_at(&self.e.clock, calendar_begin(q, q.today), 0.0), q.heap.size, True, rows))
                left -= len(rows)
            for ahead in range(q.days + 1 if q.days > 0 else 0):
                if left <= 0:
                    break
                head = calendar_list_of(q, ahead) if ahead < q.days else q.heap.capacity + q.days
                item = q.link[head].next
                if item == head:
                    continue
                listed = []
                s = 0
                while item != head:
                    listed.append((q.mark[item].key, queue_rank(item, q.mark[item].partner), item))
                    s += 1
                    item = q.link[item].next
                    if len(listed) >= 64 + 4 * left:    # the list of later years may be very long
                        listed = sorted(listed)[:left]
                rows = []
                for key, _, item in sorted(listed)[:left]:
                    self.add_row(rows, item, key)
                days.append((q.today + ahead, time_at(&self.e.clock, calendar_begin(q, q.today + ahead), 0.0), s, False, rows)
                            if ahead < q.days else (-1, NAN, s, False, rows))
                left -= len(rows)
            return days, (1.0 / q.per_time if q.per_time > 0.0 else INFINITY) if q.days > 0 else NAN
        finally:
            self.release()

    def search_always(self, bint always):
        """Whether the neighbours are searched for simultaneous contacts at each contact, also where predictions exclude any. No
        result depends on it. For tests."""
        self.claim(CHANGES)
        search_always(self.e, always)
        self.release()

    def check(self):
        """Raise AssertionError if an invariant of cells, queue or predictions does not hold. For tests."""
        self.claim(LOOKS)
        try:
            engine_check(self.e)
        finally:
            self.release()
