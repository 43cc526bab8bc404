# The obstacles of an engine and its gates, for Python.
# uses: state, obstacles, movers, gates, bindings/access
from hdsim.core.gate cimport Permission
cimport cython


@cython.auto_pickle(False)
cdef class Enclosed(Shown):
    """Base of an Engine in the plane: its obstacles, and what its gates know."""

    def set_obstacles(self, table, motions, const int[::1] species):
        """Put obstacles into the box. To be called once, before the first `load`; an engine whose discs grow must have none.
        table: a `FeatureTable`. motions: a `MotionTable`, or None if nothing moves. species: (n,), for obstacles that only some
        discs feel."""
        check_rows("species", species.shape[0], self.e.n)
        self.claim(CHANGES)
        try:
            obstacles_create(&self.e.obstacles, self.e.n, len(table.kinds), table.obstacles, len(table.times), len(table.species))
            add_features(self.e, table.kinds, table.numbers, table.beside, table.solids)
            add_conditions(self.e, table.spanned, table.times, table.species, table.gates)
            add_changes(self.e, table.change_times, table.changed)
            add_gates(self.e, table.gates, table.codes, table.squares)
            if motions is not None:
                add_movers(self.e, motions)
            end_obstacles(self.e, species)
            self.feature_names = table.names
            self.resize_timers(self.e.timers.count)
        finally:
            self.release()

    def gate_counts(self, int gate, bint now=True):
        """What a gate has counted, as a dict {name: [from the left, from the right]}; `now`: with the discs that are clear of it,
        but have not collided since. gate: its number among the gates."""
        self.claim(LOOKS)
        try:
            return dict(counts_now(self.e, gate) if now else self.e.gates.gate[gate].counts)
        finally:
            self.release()

    def permissions(self, bint now=True):
        """The permissions of discs in doorways, as rows (disc, gate, side, image x, image y); `now`: without those of discs that
        are clear of the gate, but have not collided since."""
        cdef int k, side
        cdef const Permission* p
        self.claim(LOOKS)
        try:
            rows = []
            for k in range(1, self.e.gates.permissions + 1):
                p = &self.e.gates.permission[k]
                if now and is_clear(self.e, p, self.e.clock.now, &side):
                    continue
                rows.append((p.disc, p.gate, p.side, p.image.x, p.image.y))
            return rows
        finally:
            self.release()

    def continue_gates(self, counts, permissions):
        """Set what the gates have counted, as `gate_counts` has it, a dict for each or None, and permissions as rows.
        To be called before `load` or `set_raw_state`."""
        cdef int k
        self.claim(CHANGES)
        try:
            for k in range(self.e.gates.gates):
                if counts[k] is not None:
                    set_counts(self.e, k, counts[k])
            for disc, gate, side, image_x, image_y in permissions:
                permit(self.e, disc, gate, side, image_x, image_y)
        finally:
            self.release()
