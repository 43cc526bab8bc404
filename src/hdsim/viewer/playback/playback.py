"""Playback: runs a system in step with the wall clock; pauses, steps, goes back, edits and restarts it, and describes its state.

It is independent of windows and OpenGL: the caller measures the wall clock and calls `tick`. Earlier states are in `history`."""
from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from ...language import tr
from ...language.numerals import number
from ...model.errors import JammedError
from ...model.roles import (HasGravity, HasLaw, HasObstacles, HasThermalSides, KeepsBalance, Numbered, Playable,
                            offers)
from ...observables import root_mean_square_distance
from ...reference.side_by_side import rule_of_contacts
from ..draw.frame import Frame
from .history import BYTES, Checkpoint, Goal, History, Mark, Replay, Trail, count
from .pace import Meter, checked_speed, default_speed, next_speed, positive
from .wording import Refusal, describe, edit_name, jam_of, refusal_of

FRAMES_PER_SECOND = 60
BUDGET = 0.012            # seconds of a tick for the engine; the rest of 1/60 is for drawing
LONGEST_TICK = 0.1        # seconds; of a longer gap (a window dragged, a laptop closed) only this much is played
KEEPS_UP = 0.97           # a speed below this share of the requested one is reported
SLOW = 0.1                # below this share of the requested speed, the digits of the time follow the speed reached

EDITED, REVERSED, HELD, GAS = "edited", "velocities reversed", "held by the mouse", "gas changed"
SIDES = "box changed"       # by what hands put on to it
CONTINUED = HELD, GAS     # edits that are made tick by tick: successive ones are undone together
NEAR = 0.5                # spacing of checkpoints in a replay to an event, over the usual one: more steps back may follow


class Playback:
    """A system that is being played. `frame`: the discs at the latest redraw event, which is to be drawn.

    Redraw events are timers in the system's own queue, one for each tick or, if `hz` is given, `hz` for each unit of simulated
    time. While paused there are none, so that `step` executes contacts.

    `seek` and the steps go to any time of the `history` exactly: checkpoints, copies of the system, are copied and run again
    (`prepare` is called with each copy before it runs). Playing from an earlier time repeats the same run, edits included, up to
    `history.end`. A long replay takes several ticks (`seeking`); commands given meanwhile are executed at its end, or dropped if
    another time is sought.
    """

    frame: Frame
    refusal: Refusal | None         # the `message`, if that is one

    def __init__(self, system: Playable, speed: float | None = None, hz: float | None = None,
                 until: float | None = None, paused: bool = False,
                 prepare: Callable[[Any], object] | None = None, history_bytes: int = BYTES) -> None:
        self.hz = None if hz is None else positive("hz", hz)
        self.speed = default_speed(system) if speed is None else checked_speed(speed)
        self.until = until
        self.paused = True
        self.message = ""
        self.one_by_one = False         # whether a tick plays one frame at most, however late it comes
        self.extra = 0.0                # seconds of a tick for the engine beyond BUDGET, if drawing is slow anyway
        self.changing: Callable[[], AbstractContextManager[None]] = nullcontext     # entered around each change of discs
        self.event: Any = None          # the event that a step has just executed, or None
        self._start: Any = system.copy()        # the initial state, which is never run, only copied
        self._prepare = prepare
        self._history_bytes = history_bytes
        self._redraws = None
        self._replay: Replay | None = None
        self._begin(system)
        if not paused:
            self.go_on()

    @property
    def message(self) -> str:
        """Text on the latest event or pause, or `refusal`, for the status line; "" if there is none."""
        return self._message

    @message.setter
    def message(self, text: str) -> None:
        self._message, self.refusal = text, None

    def refuse(self, refusal: Refusal) -> None:
        """Say that a change was refused."""
        self.message, self.refusal = refusal.text, refusal

    # what the keys do

    def toggle(self) -> None:
        if self.paused:
            self.go_on()
        else:
            self.pause()

    def go_on(self) -> None:
        if self.paused:
            self.paused = False
            self.message = ""
            if not self.seeking:
                self._keep_pace()

    def pause(self, message: str = "") -> None:
        self.paused = True
        self.message = message
        self._cancel_redraws()
        self.frame = Frame.of(self.system, self.frame)

    def look_again(self) -> None:
        """Read the frame anew, because the system is seen from another place."""
        self.frame = Frame.of(self.system, self.frame)

    def step(self) -> None:
        """Pause, and execute exactly one event, or repeat an earlier edit."""
        self.pause()
        self._when_there(self._step)

    def step_back(self) -> None:
        """Pause, and go back to just after the previous event, or to just before an edit."""
        self.pause()
        self._when_there(self._step_back)

    def frame_forward(self) -> None:
        """Pause, and go forward to the next multiple of a frame, speed / 60 of simulated time."""
        self.pause()
        self._when_there(partial(self._go_by_a_frame, +1))

    def frame_back(self) -> None:
        """Pause, and go back to the previous multiple of a frame, speed / 60 of simulated time."""
        self.pause()
        self._when_there(partial(self._go_by_a_frame, -1))

    def seek(self, time: float) -> None:
        """Go to a time in the history; a time outside of it means its nearest end. A run continues there, a paused one stays
        paused. ValueError if the time is nan."""
        if math.isnan(time):
            raise ValueError("time is nan; it must be a time to go to")
        self._queue.clear()
        self._replay = None
        self.message = ""
        self._go_to(min(max(time, self.history.begin), self.history.end))

    def faster(self) -> None:
        self.set_speed(next_speed(self.speed, +1))

    def slower(self) -> None:
        self.set_speed(next_speed(self.speed, -1))

    def set_speed(self, speed: float) -> None:
        """Play at `speed` simulated time units per second from now on. ValueError unless it is within `pace.SPEEDS`. A speed
        whose frames cannot be counted at the present time becomes a message, and a run goes on as it was."""
        speed = checked_speed(speed)
        if self.paused or self.seeking:
            self.speed = speed
            return
        try:
            self._pace(speed)
        except ValueError as error:
            self.refuse(Refusal(str(error)))

    def restart(self) -> None:
        """Begin again with a copy of the initial state and a new history. A run continues, a paused one stays paused."""
        self._cancel_redraws()
        self.message = ""
        self._begin(self._start.copy())
        if not self.paused:
            self._keep_pace()

    def change(self, action: Callable[[Any], object], what: str = EDITED) -> None:
        """Change the system now by `action(system)`, which may edit, add, remove and reverse, but not run it.

        The history after the present time is dropped. Successive edits at one time count as one. A RuntimeError, ValueError or
        IndexError of `action` becomes the message. what: the message when a replay repeats the edit.
        """
        self._when_there(partial(self._change, action, what))

    def reverse(self) -> None:
        """Reverse all velocities now; see `distance_from_start`."""
        self.change(lambda system: system.reverse(), REVERSED)

    def undo(self) -> None:
        """Pause, and go back to just before the latest edit, which is dropped from the history; see `redo`."""
        self.pause()
        self._when_there(self._undo)

    def redo(self) -> None:
        """Pause, and repeat the edit that was undone last, at its time, unless something else was changed since."""
        self.pause()
        self._when_there(self._redo)

    def close(self) -> None:
        """Remove the timers of this playback from the system."""
        self.paused = True
        self._queue.clear()
        self._replay = None
        self._cancel_redraws()

    # the clock

    def tick(self, dt: float) -> None:
        """Advance by `dt` seconds of wall clock: run to the time that is due, or continue a replay, within the time budget."""
        if self._replay is not None:
            self._continue(self._replay)
            return
        if self.paused:
            return
        self._owed += min(dt, LONGEST_TICK) * FRAMES_PER_SECOND
        frames = round(self._owed)
        self._owed -= frames
        frames = min(frames, 1) if self.one_by_one else frames
        if frames > 0:
            self._run(frames)
        self._meter.add(dt, self.system.time, contacts(self.system))

    @property
    def _period(self) -> float:
        return self.speed / FRAMES_PER_SECOND

    def _run(self, frames: int) -> None:
        # Ticks end at multiples of the period, computed as in the engine, so that each tick ends with its redraw event, and
        # motion is smooth although ticks of the wall clock are irregular.
        target = self._end_of(frames)
        until = self.until if self.until is not None and self.system.time < self.until else math.inf
        edited = self.history.branch_after(self._branch)
        limit = math.inf if edited is None else edited.mark.time
        target = max(min(target, until, limit), self.system.time)
        began = perf_counter()
        try:
            self._leave_checkpoint()
            cut_short = self._simulate(target, began + BUDGET + self.extra)
        except JammedError as error:
            self.pause(jam_of(error, self.frame))
            return
        if self.system.time == until:
            self.pause(tr("paused at t = {until:g}, as asked", until=until))
        elif edited is not None and self.system.time == limit:
            self._enter(edited)
        elif cut_short:
            if self.hz is None:
                self.frame = Frame.of(self.system, self.frame)     # the next redraw event may be many ticks away
        elif self.system.time < target:
            self.pause(tr("stopped by a callback"))

    def _end_of(self, frames: int) -> float:
        """The simulated time at the end of so many frames from now; the present time if frames cannot be counted there."""
        count = self.system.time / self._period
        return (round(count) + frames) * self._period if math.isfinite(count) else self.system.time

    @property
    def end_of_frame(self) -> float:
        """The simulated time at the end of the next frame."""
        return self._end_of(1)

    def _simulate(self, target: float, deadline: float) -> bool:
        """Run the system to `target`; returns True if the deadline came first."""
        began = perf_counter()
        self._settled = False
        self.event = None
        try:
            self.system.simulate(until=target, max_seconds=max(deadline - began, 0.0))
            late = perf_counter() >= deadline
            if late:        # between events of one instant no checkpoint can be taken
                self.system.simulate(until=self.system.time)
            self._settled = late or self.system.time == target
            return late and self.system.time < target
        finally:
            self._trail.went(perf_counter() - began)
            self.history.visit(self._mark)

    def _pace(self, speed: float | None = None) -> None:
        """Set the redraw timer and a new meter for a speed, by default the present one. ValueError if its frames cannot be
        counted at the present time, and nothing is changed."""
        speed = self.speed if speed is None else speed
        redraws = self.system.on_redraw(self._on_redraw, every=speed / FRAMES_PER_SECOND if self.hz is None else 1 / self.hz)
        self._cancel_redraws()
        self._redraws, self.speed = redraws, speed
        self._owed = 0.0            # the fraction of a frame by which the run is behind the wall clock
        self._meter = Meter(self.system.time, contacts(self.system))

    def _keep_pace(self) -> None:
        """Set the redraw timer, or pause where the present speed is not possible."""
        try:
            self._pace()
        except ValueError as refusal:
            self.pause(str(refusal))

    def _on_redraw(self, event) -> None:
        self.frame = Frame.of(self.system, self.frame)

    def _cancel_redraws(self) -> None:
        if self._redraws is not None:
            self._redraws.cancel()
            self._redraws = None

    # which system is shown, and where in the history it is

    def _begin(self, system) -> None:
        """Show this system, which is in its initial state, with a new history."""
        self.history = History(self._start, self._history_bytes)
        self._replay = None
        self._undone: list[Checkpoint] = []                 # edits that can be repeated, the next one last
        self._queue: list[Callable[[], object]] = []        # commands to execute at the end of the replay
        self._then: Callable[[], object] | None = None      # the last step of the replay itself
        if self._prepare is not None:
            self._prepare(system)
        self._show(system, self.history.checkpoints[0].mark)

    def _show(self, system: Any, mark: Mark, event: Any = None) -> None:
        """Show a prepared system, which is at `mark`."""
        self.system = system
        self._branch, self._settled, self.event = mark.branch, mark.settled, event
        self._trail = Trail(self.history, mark)
        self.frame = Frame.of(system)
        self._energy = self.history.start_of(mark.branch).system.kinetic_energy
        self._meter = Meter(system.time, contacts(system))

    @property
    def _mark(self) -> Mark:
        return Mark.of(self.system, self._branch, self._settled)

    def _prepared_copy(self, checkpoint: Checkpoint) -> Any:
        system = checkpoint.system.copy()
        if self._prepare is not None:
            self._prepare(system)
        return system

    def _leave_checkpoint(self) -> None:
        if self._settled or self._prepare is None:      # otherwise a timer of this instant might be lost
            self._trail.leave(self._mark, self.system)

    def _enter(self, edited: Checkpoint) -> None:
        """Continue in the next branch of the history, with the state after the edit."""
        self._cancel_redraws()
        self._show(self._prepared_copy(edited), edited.mark)
        self.message = edit_name(edited.what, self.frame)
        if not self.paused:
            self._keep_pace()

    # stepping, seeking and editing, when no replay is under way

    def _step(self) -> None:
        edited = self.history.branch_after(self._branch)
        if edited is not None and count(self.system, "events") >= edited.mark.events:
            self._enter(edited)
            return
        self._leave_checkpoint()
        began = perf_counter()
        try:
            event = self.system.next_event()
        except JammedError as error:
            self.pause(jam_of(error, self.frame))
            return
        self._trail.went(perf_counter() - began)
        self._settled = False
        self.history.visit(self._mark)
        self.event = event
        self.frame = Frame.of(self.system, self.frame)
        self.message = describe(event, self.frame.obstacles)

    def _step_back(self) -> None:
        mark, start = self._mark, self.history.start_of(self._branch).mark
        if mark.events > start.events:
            if self.event is not None and self.event.particles and self.event.kind != "pass":     # which is not counted
                self._go_to_event(mark.events - 1)
            else:
                self._go_to_event(mark.events, partial(self._go_further_back, mark))
        elif mark.time > start.time:
            self._go_to_start(start.branch)
        elif start == self.history.checkpoints[0].mark:
            self.refuse(Refusal(tr("nothing before this is remembered")))
        else:
            self._travel(Goal(start.branch - 1, start.events, start.time, start.settled))

    def _go_further_back(self, mark: Mark) -> None:
        """Go back one more event, if the replay has ended at the event that the system was just after."""
        if self.system.time == mark.time:
            self._go_to_event(mark.events - 1)

    def _go_to_event(self, events: int, then: Callable[[], object] | None = None) -> None:
        """Go to just after the event of that number in this branch."""
        if events <= self.history.start_of(self._branch).mark.events:
            self._go_to_start(self._branch)
        else:
            self._travel(Goal(self._branch, events, None), then)

    def _go_to_start(self, branch: int) -> None:
        start = self.history.start_of(branch).mark
        self._travel(Goal(branch, start.events, start.time, settled=False))

    def _go_by_a_frame(self, direction: int) -> None:
        nearest = self._end_of(0)
        self._go_to(nearest if (nearest - self.system.time) * direction > 0 else self._end_of(direction))

    def _go_to(self, time: float) -> None:
        here, first, base = self._mark, self.history.checkpoints[0].mark, self.history.at_time(time).mark
        if time <= first.time:
            self._go_to_start(first.branch)
        elif here.branch == base.branch and here >= base and here.time <= time:
            self._settled, self.event = False, None
            self._set_out(Replay(self.system, Goal(base.branch, None, time), self._trail))
        else:
            self._travel(Goal(base.branch, None, time))

    def _travel(self, goal: Goal, then: Callable[[], object] | None = None) -> None:
        """Replay to a goal in the history from the nearest checkpoint before it."""
        base = self.history.base_for(goal)
        self._set_out(Replay(self._prepared_copy(base), goal, Trail(self.history, base.mark)), then)

    def _set_out(self, replay: Replay, then: Callable[[], object] | None = None) -> None:
        """Begin a replay with a first slice."""
        self._cancel_redraws()
        self._replay, self._then = replay, then
        self._continue(replay)

    def _continue(self, replay: Replay) -> None:
        """Run a slice of the replay, and at its end the commands that have been waiting."""
        try:
            there = replay.run(BUDGET)
        except JammedError as error:
            self._queue.clear()
            self._arrive(replay)
            self.pause(jam_of(error, self.frame))
            return
        if self._prepare is None or replay.mark.settled:
            replay.trail.leave(replay.mark, replay.system, NEAR if replay.goal.time is None else 1.0)
        if there:
            then = self._then
            self._arrive(replay)
            if then is not None:
                then()
            while self._queue and not self.seeking:
                self._queue.pop(0)()

    def _arrive(self, replay: Replay) -> None:
        self._replay = self._then = None
        self._show(replay.system, replay.mark, replay.event)
        self._trail = replay.trail
        self.history.visit(replay.mark)
        start = self.history.start_of(self._branch)
        self.message = edit_name(start.what, self.frame) if start.mark[:3] == self._mark[:3] else ""
        if replay.event is not None:
            self.message = describe(replay.event, self.frame.obstacles)
        if not self.paused:
            self._keep_pace()

    def _undo(self) -> None:
        edited = self.history.start_of(self._branch)
        while edited.what in CONTINUED and (before := self.history.start_of(edited.mark.branch - 1)).what == edited.what:
            edited = before
        if not edited.what:
            self.refuse(Refusal(tr("nothing to undo")))
            return
        mark = edited.mark
        self._travel(Goal(mark.branch - 1, mark.events, mark.time, mark.settled), partial(self._drop, edited))

    def _drop(self, edited: Checkpoint) -> None:
        """Forget an edit, before which the system is now, and all that came after it."""
        self.history.cut(self._mark)
        self._trail.rest(self._mark)
        if edited.what not in CONTINUED:
            self._undone.append(edited)
        self.message = tr("undone: {what}", what=edit_name(edited.what, self.frame))

    def _redo(self) -> None:
        if not self._undone or self._undone[-1].mark[1:3] < self._mark[1:3]:
            self.refuse(Refusal(tr("nothing to redo")))
            return
        mark = self._undone[-1].mark
        self._travel(Goal(self._branch, mark.events, mark.time, mark.settled), self._repeat)

    def _repeat(self) -> None:
        """Continue with the state after the edit that was undone last, before which the system is now."""
        edited, undone = self._undone[-1], self._undone[:-1]
        system = self._prepared_copy(edited)
        self._show(system, self.history.branch(self._mark, system, edited.what))
        self._undone, self.message = undone, edit_name(edited.what, self.frame)

    def _when_there(self, action: Callable[[], object]) -> None:
        if self.seeking:
            self._queue.append(action)
        else:
            action()

    def _change(self, action: Callable[[Any], object], what: str) -> None:
        before, around, mark = _discs(self.system), _surroundings(self.system), self._mark
        self.message = ""
        with self.changing():
            try:
                action(self.system)
            except (RuntimeError, ValueError, IndexError) as error:
                self.refuse(refusal_of(error, self.frame))
            if around != _surroundings(self.system) or not all(map(np.array_equal, before, _discs(self.system))):
                self._branch_off(mark, what)
        self.frame = Frame.of(self.system, self.frame)

    def _branch_off(self, mark: Mark, what: str) -> None:
        """Begin a branch of the history for the system, which has been changed at `mark`."""
        self._undone.clear()
        start = self.history.start_of(mark.branch)
        if start.mark[:3] == mark[:3] and start.what == what and what in (EDITED, *CONTINUED):      # a further step of a drag
            self.history.amend(start.mark, self.system)
        else:
            mark = self.history.branch(mark, self.system, what)
        self._branch, self.event = mark.branch, None
        self._trail.rest(mark)
        self._energy = self.system.kinetic_energy
        if not self.message and (self.paused or what not in CONTINUED):
            self.message = edit_name(what, self.frame)

    # what it says

    @property
    def reached(self) -> float | None:
        """The speed reached in the last second over the requested speed; None if it is not yet known."""
        return None if self.paused or not self._meter.knows else self._meter.speed / self.speed

    @property
    def seeking(self) -> bool:
        """Whether a replay is under way; ticks continue it, and the picture stays until its end."""
        return self._replay is not None

    @property
    def returning(self) -> bool:
        """Whether the run may return to its initial state: velocities were reversed, and there was no other edit."""
        edits = self.history.edits_before(self._mark)
        return bool(edits) and all(edit == REVERSED for edit in edits)

    def distance_from_start(self) -> float:
        """The root mean square, over the discs, of their distance from their initial positions (nearest images on periodic axes),
        in units of length; nan if none of the initial discs is left.

        At time 2T - t, after a reversal at T and with t the initial time, it is the error that rounding has caused.
        """
        now, start = (np.reshape(system.positions, (-1, 2)) for system in (self.system, self._start))
        if offers(self.system, Numbered):       # discs may have been added and removed
            _, here, there = np.intersect1d(self.system.ids, self._start.ids, assume_unique=True, return_indices=True)
            now, start = now[here], start[there]
        return root_mean_square_distance(now, start, self.system.box)

    @property
    def energy_drift(self) -> float:
        """Relative change of the kinetic energy since the start or the latest edit; of a system that does not conserve it, that
        of the balance."""
        if offers(self.system, KeepsBalance) and not self.system.conserves_energy:
            return float(self.system.energy_balance().drift)
        return (self.system.kinetic_energy - self._energy) / self._energy if self._energy else 0.0

    def clock(self) -> str:
        """The time as text, with the digits that can be read at this speed."""
        slow = self.reached is not None and 0 < self.reached < SLOW
        decimals = max(0, 2 - math.floor(math.log10(self._meter.speed if slow else self.speed)))
        return f"{self.system.time:.{decimals}f}"

    def status(self) -> list[str]:
        """The state in words, the most important ones first: a refusal, time, whether it is paused, the message, collisions,
        pace, collisions per second of wall clock, and the rule of contacts."""
        n = contacts(self.system)
        said = [tr("time {time}", time=self.clock())]
        if self.seeking or self.paused:
            said.append(tr("seeking") if self.seeking else tr("paused"))
        if self.message:
            said.insert(0 if self.refusal else len(said), self.message)
        said.append(tr("{n:,} collision(s)", n=n))
        if self.reached is not None and self.reached < KEEPS_UP:
            said.append(tr("pace {reached} of {speed} time units per second", reached=number(self._meter.speed, 2),
                           speed=number(self.speed)))
        else:
            said.append(tr("pace {speed} time units per second", speed=number(self.speed)))
        if not self.paused and self._meter.knows:
            said.append(tr("{rate:,.0f} collision(s) per second", rate=self._meter.rate))
        return [*said, *([rule] if (rule := rule_of_contacts(self.system)) else [])]

    def health(self) -> list[str]:
        """How exact the run is, in words: the drift of the energy, and after reversals the distance from the start."""
        drift = self.energy_drift
        said = [tr("energy drift {drift:.1e}" if drift else "energy drift 0", drift=drift)]
        if self.returning:
            said.append(tr("{distance:.1e} from the start", distance=self.distance_from_start()))
        return said


def contacts(system) -> int:
    """Contact impulses so far, walls included."""
    return count(system, "pair_contacts", "wall_contacts")


def _discs(system) -> tuple[Any, ...]:
    """The properties of the discs that an edit may change."""
    return system.positions, system.velocities, system.radii, system.masses, system.colors


def _surroundings(system: Any) -> tuple[Any, ...]:
    """The box, the obstacles, the law of contacts, gravity and thermal sides, which an edit may change, too."""
    return (system.box.width, system.box.height, system.obstacles if offers(system, HasObstacles) else (),
            (system.restitution, system.contact_time) if offers(system, HasLaw) else (),
            system.gravity if offers(system, HasGravity) else (), system.walls if offers(system, HasThermalSides) else {})

