"""Ensembles: independent replicas of a system, observed side by side, and what they agree on.

    runs = ensemble(make, 16, [Pressure(), FreePath()], warm_up=5, until=100)
    print(runs.table())

A replica is `make(seed)`, run and observed; where it runs, and beside whom, cannot change a bit of it. Needs of an
executor only `submit`, and of what that returns what futures have: result, cancel, add_done_callback.
"""
from __future__ import annotations

import copy
import math
import operator
import os
import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..model.errors import ReplicaError
from ..observables import Merged, merge
from ..observers import EventRecorder, Observer, new_figure, text_table
from ..system import CollisionSystem

CHUNK = 0.1         # seconds between looks at whether the ensemble is to end: how long Ctrl-C may take
SAME_BINS = 1e-9    # relative: edges of histograms differ by rounding where they were guessed from temperatures
MARGIN = 0.25       # of a plot: beside the first and the last replica

Make = Callable[[int], CollisionSystem]


class Executor(Protocol):
    """As those of `concurrent.futures`."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


class Stop:
    """Whether all is to end. One for all replicas in this process; a pickled one is alone, and never asks."""

    asked = False


class Plan(NamedTuple):
    """How far each replica runs."""

    warm_up: float | None
    until: float | None
    max_events: int | None


class Replica(NamedTuple):
    """What comes back of one run."""

    hash: str
    contacts: int
    observers: tuple[Observer, ...]


# One replica, in whatever thread or process.


def _replica(make: Make, seed: int, observers: Sequence[Observer], plan: Plan, stop: Stop) -> Replica | None:
    """Make, run and read it; None if all is to end before."""
    if stop.asked:
        return None
    try:
        system = make(seed)
        if not isinstance(system, CollisionSystem):
            raise TypeError(f"make returned {type(system).__name__}; it must return a CollisionSystem")
        if plan.warm_up is not None:
            run_in_pieces(system, plan.warm_up, None, stop)
        for observer in observers:
            system.observe(observer)
        contacts = run_in_pieces(system, plan.until, plan.max_events, stop)
        if stop.asked:
            return None
        if not observers[0].elapsed > 0:
            raise ValueError("no time went by while it was observed")
        for observer in observers:
            observer.detach()
        return Replica(system.hash(), contacts, tuple(observers))
    except Exception as error:
        stop.asked = True
        raise ReplicaError(f"seed {seed}: {type(error).__name__}: {error}", seed) from error


def run_in_pieces(system: CollisionSystem, until: float | None, max_events: int | None, stop: Stop,
                  between: Callable[[], Any] = lambda: None, piece: float | None = None) -> int:
    """Do what system.simulate(until, max_events) does, in pieces, because Ctrl-C does not interrupt a thread: `stop` is
    asked before each. A system with callbacks runs in one piece.

    between: called after each piece but the last. piece: seconds, CHUNK if None."""
    seconds = CHUNK if piece is None else piece
    if system.has_callbacks:     # which may end a run, and that would only end a piece
        return system.simulate(until, max_events)
    contacts, left, first = 0, max_events, system.statistics["events"]
    while not stop.asked:
        contacts += system.simulate(until, left, seconds)
        if max_events is not None:
            left = max_events - (system.statistics["events"] - first)
        if left == 0 or not system.timed_out:
            break
        between()
    return contacts


# All of them.


def ensemble(make: Make, seeds: int | Iterable[int], observers: Any, *, until: float | None = None,
             max_events: int | None = None, warm_up: float | None = None, executor: Executor | None = None,
             progress: Callable[[int, int], Any] | None = None) -> Ensemble:
    """Run and observe independent replicas; returns an `Ensemble`. For each seed this happens, in any order:

        system = make(seed)
        system.simulate(until=warm_up)          # unless warm_up is None
        ...                                     # observe
        system.simulate(until, max_events)      # both limits as there: until is a time of the replica's own clock

    make: a function of a seed that returns a new CollisionSystem, as it is or in equilibrium already. seeds: different
    integers, or how many: 0, 1, 2, ... observers: one, or several; or a function without arguments that returns them.
    Each replica has copies of its own, so that they must not be attached.

    executor: anything with the `submit` of `concurrent.futures.Executor`; None: as many threads as there are cores. For
    one with processes `make` must be a function of a module. The result has the same bits in any case.
    progress: called as progress(finished, total) after each replica.

    The first replica that fails ends all: ReplicaError says its seed. Ctrl-C too; what runs inside `make`, or has
    callbacks or timers, is waited for. ValueError if two seeds give the same run: its error would be a lie.
    """
    if not callable(make):
        raise TypeError(f"make must be a function of a seed, got {type(make).__name__}")
    numbers, prototypes = checked_seeds(seeds), checked_observers(observers)
    plan = checked_plan(warm_up, until, max_events)
    if executor is not None:
        return Ensemble(numbers, _replicas(make, numbers, prototypes, plan, executor, progress))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(cores(), len(numbers))) as pool:
        return Ensemble(numbers, _replicas(make, numbers, prototypes, plan, pool, progress))


def _replicas(make: Make, seeds: Sequence[int], prototypes: Sequence[Observer], plan: Plan, executor: Executor,
              progress: Callable[[int, int], Any] | None) -> list[Replica]:
    """The replicas, one for each seed and in the order of the seeds."""
    calls = [(make, seed, [copy.deepcopy(o) for o in prototypes], plan) for seed in seeds]
    twins = Twins()

    def result(number: int, future: Any) -> Replica | None:
        seed = seeds[number]
        replica = result_of(future, f"seed {seed}", seed, {"make": make, **_named(prototypes)})
        if replica is not None:
            twins.refuse(replica.hash, replica.contacts, seed)
        return replica

    return gather(executor, _replica, calls, result, progress)


def gather(executor: Executor, work: Callable[..., Any], calls: Sequence[tuple[Any, ...]],
           result: Callable[[int, Any], Any], progress: Callable[[int, int], Any] | None, before: int = 0) -> list[Any]:
    """What result(number, future) makes of work(*call, stop) for each call, in their order; before: how many were done
    already. The first that raises ends all. A result that is None only saw that another one failed, whose turn is to come."""
    stop, futures = Stop(), []
    done: SimpleQueue[int] = SimpleQueue()
    found: dict[int, Any] = {}
    try:
        for number, call in enumerate(calls):
            future = executor.submit(work, *call, stop)
            futures.append(future)
            future.add_done_callback(partial(_note, done, number))
        while len(found) < len(calls):
            number = done.get()
            one = result(number, futures[number])
            if one is None:
                continue
            found[number] = one
            if progress is not None:
                progress(before + len(found), before + len(calls))
    except BaseException:
        stop.asked = True
        for future in futures:
            future.cancel()
        raise
    return [found[number] for number in range(len(calls))]


def _note(done: SimpleQueue[int], number: int, future: Any) -> None:
    done.put(number)


class Twins:
    """Finds two seeds that gave the same run."""

    def __init__(self) -> None:
        self._owner: dict[str, int] = {}      # which seed made a run

    def refuse(self, run: str, contacts: int, seed: int) -> None:
        """ValueError if this run, by its hash, is that of another seed."""
        twin = self._owner.setdefault(run, seed)
        if contacts and twin != seed:
            raise ValueError(f"seeds {twin} and {seed} gave the same run; make(seed) must make another system of each seed")


def result_of(future: Any, place: str, seed: int, things: dict[str, Any]) -> Any:
    """What the replica returned, or a clear error. things: what had to be pickled, by name."""
    try:
        return future.result()
    except ReplicaError:
        raise
    except Exception as error:      # it never ran, or its result could not come back
        if isinstance(error, (pickle.PicklingError, TypeError, AttributeError)):
            _check_pickles(things)
        raise ReplicaError(f"{place}: {type(error).__name__}: {error}", seed) from error


def _named(observers: Sequence[Observer]) -> dict[str, Observer]:
    return {type(o).__name__: o for o in observers}


def _check_pickles(things: dict[str, Any]) -> None:
    for name, thing in things.items():
        try:
            pickle.dumps(thing)
        except Exception as error:
            raise TypeError(f"{name} cannot be pickled, as this executor needs it ({error}); functions must stand at the "
                            f"top of a module, and nothing may hold a lambda") from error


def checked_seeds(seeds: int | Iterable[int]) -> tuple[int, ...]:
    try:
        numbers = tuple(map(operator.index, seeds if isinstance(seeds, Iterable) else range(operator.index(seeds))))
    except TypeError:
        raise TypeError(f"seeds is {seeds!r}; it must be integers, or how many") from None
    if not numbers:
        raise ValueError(f"seeds is {seeds!r}; there must be at least one")
    if len(set(numbers)) < len(numbers):
        twice = next(seed for k, seed in enumerate(numbers) if seed in numbers[:k])
        raise ValueError(f"seed {twice} is given twice; replicas must be independent")
    return numbers


def checked_observers(observers: Any) -> list[Observer]:
    given = observers() if callable(observers) else observers
    found = list(given) if isinstance(given, Iterable) else [given]
    for observer in found:
        if not isinstance(observer, Observer):
            raise TypeError(f"expected observers such as hdsim.Pressure(), got {type(observer).__name__}")
        if isinstance(observer, EventRecorder):
            raise TypeError("an EventRecorder has no mean over replicas")
        if observer.attached:
            raise RuntimeError(f"this {type(observer).__name__} is attached to a system; give one that is not: replicas take "
                               f"copies")
    if not found:
        raise ValueError("there must be at least one observer")
    return found


def checked_plan(warm_up: float | None, until: float | None, max_events: int | None) -> Plan:
    end = math.inf if until is None else until
    if not (end < math.inf or max_events is not None):
        raise ValueError(f"until is {until!r} and max_events is None, so that nothing ends a run; give one of them")
    if warm_up is not None and not -math.inf < warm_up < end:
        raise ValueError(f"warm_up is {warm_up!r}; it must be a time before until, which is {until!r}")
    return Plan(warm_up, until, max_events)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# What they say.


class Ensemble(Sequence[tuple[Observer, ...]]):
    """Replicas that have run. `runs[k]` are the observers of the k-th, detached; len(runs) is how many there are.

    seeds, hashes: of the replicas, in the order that was given. contacts: of all together, while they were observed.
    averages: an `Average` for each observer.
    """

    def __init__(self, seeds: Sequence[int], replicas: Sequence[Replica]) -> None:
        self.seeds = tuple(seeds)
        self.hashes = tuple(replica.hash for replica in replicas)
        self.contacts = sum(replica.contacts for replica in replicas)
        self._observers = tuple(replica.observers for replica in replicas)
        self.averages = tuple(Average(column) for column in zip(*self._observers))

    def __len__(self) -> int:
        return len(self._observers)

    def __getitem__(self, k: Any) -> Any:
        return self._observers[k]

    def __repr__(self) -> str:
        kinds = ", ".join(type(observer).__name__ for observer in self[0])
        return f"<Ensemble of {len(self)} replicas: {kinds}>"

    def table(self) -> str:
        """The averages, as text in columns."""
        parts = [f"{type(average.observers[0]).__name__}\n{average.table()}" for average in self.averages]
        return "\n\n".join([f"{len(self)} replicas, {self.contacts} contacts", *parts])

    def plot(self, ax: Any = None) -> Any:
        """Draw the averages, each into its own of the axes `ax`, or of a new figure; returns an array of the axes. Needs
        matplotlib."""
        count = len(self.averages)
        if ax is None:
            figure = new_figure()
            figure.set_size_inches(6.4, 3.6 * count)
            figure.set_layout_engine("constrained")
            ax = figure.subplots(count)
        axes = np.atleast_1d(ax)
        if axes.shape != (count,):
            raise ValueError(f"ax has shape {np.shape(ax)}; there must be one for each of {count} observers")
        return np.array([average.plot(one) for average, one in zip(self.averages, axes)])


class Average:
    """What one observer found, over all replicas; numbers or arrays, element by element, nan where a replica has none.

    value: the mean, each replica with the time it was observed as its weight. error: one standard deviation, from how
    the replicas differ: it knows nothing of what one run is like inside, and is itself known to 1/sqrt(2(r - 1)) for r
    replicas; of a single one, its own error. propagated: from the errors of the replicas. If it is smaller than `error`
    by more than that, a run is too short, or does not see all that `make` makes. theory: the mean of the replicas' laws;
    None if one has none. values, errors: (r, ...) of the replicas. observers: of each replica.
    """

    def __init__(self, observers: Sequence[Observer], name: str = "value") -> None:
        self.observers = tuple(observers)
        self.name = name
        self._weights = np.array([observer.elapsed for observer in observers])

    def of(self, name: str) -> Average:
        """The average of another attribute of the observer, such as "histogram" or "compressibility_factor", over the
        replicas; without the replicas' own errors, and without theory."""
        return Average(self.observers, name)

    @cached_property
    def values(self) -> np.ndarray:
        """(r, ...) of the replicas, in the order of the seeds."""
        return _stacked(self.observers, self.name)

    @cached_property
    def errors(self) -> np.ndarray:
        """(r, ...) of the replicas, each by blocking; nan where a run was too short for it."""
        return _stacked(self.observers, "error") if self.name == "value" else np.full(self.values.shape, math.nan)

    @cached_property
    def _merged(self) -> Merged:
        return merge_known(self.values, self.errors, self._weights)

    @property
    def value(self) -> Any:
        return self._merged.mean

    @property
    def error(self) -> Any:
        return self._merged.scatter if len(self.observers) > 1 else self._merged.error

    @property
    def propagated(self) -> Any:
        return self._merged.error

    @property
    def theory(self) -> Any:
        return self._law([o.theory for o in self.observers] if self.name == "value" else [None])

    def _law(self, laws: Sequence[Any]) -> Any:
        """The weighted mean of the replicas' laws; None if one of them is None."""
        if any(law is None for law in laws):
            return None
        arrays = _same_length(laws)
        return merge_known(arrays, np.full(arrays.shape, math.nan), self._weights).mean

    def table(self) -> str:
        """As that of the observer, as far as its lines are the same in all replicas."""
        head, rows = ((self.name,), self._elements()) if self.name != "value" else (_labels(self.observers[0]), self._lines())
        return text_table((*head, "value", "error", "propagated", "theory"), rows)

    def _lines(self) -> Iterable[Sequence[Any]]:
        replicas = [{tuple(label): (value, error, law) for *label, value, error, law in _rows(o)} for o in self.observers]
        for label in replicas[0]:
            if all(label in lines for lines in replicas):
                values, errors, laws = zip(*(lines[label] for lines in replicas))
                merged = merge_known(np.array(values, dtype=float), np.array(errors, dtype=float), self._weights)
                error = merged.scatter if len(values) > 1 else merged.error
                yield *label, merged.mean, error, None if errors[0] is None else merged.error, self._law(laws)

    def _elements(self) -> Iterable[Sequence[Any]]:
        for index, value in np.ndenumerate(self.value):
            yield ", ".join(map(str, index)), value, np.asarray(self.error)[index], None, None

    def plot(self, ax: Any = None) -> Any:
        """Draw it into `ax`, or a new figure; returns the axes. One number: replica by replica, with their own errors, and
        the mean with its error as a band; arrays: the mean with its error. Needs matplotlib."""
        ax = new_figure().add_subplot() if ax is None else ax
        if np.ndim(self.value) == 0:
            self._draw_replicas(ax)
        else:
            self._draw_array(ax)
        ax.set_ylabel(f"{type(self.observers[0]).__name__}: {self.name}")
        ax.legend()
        return ax

    def _draw_replicas(self, ax: Any) -> None:
        ax.errorbar(range(len(self.values)), self.values, np.nan_to_num(self.errors), fmt=".", label="replicas")
        ax.axhline(self.value, color="C0", label="mean")
        if math.isfinite(self.error):
            ax.axhspan(self.value - self.error, self.value + self.error, color="C0", alpha=0.2, lw=0)
        if self.theory is not None:
            ax.axhline(self.theory, color="C3", ls="--", label="theory")
        ax.set(xlabel="replica", xlim=(-MARGIN, len(self.values) - 1 + MARGIN))
        ax.locator_params(axis="x", integer=True)

    def _draw_array(self, ax: Any) -> None:
        x, label, scales = self._abscissa()
        means, errors = (rows.reshape(-1, len(x)) for rows in (self.value, self.error))
        for k, (mean, error) in enumerate(zip(means, errors)):
            ax.errorbar(x, mean, np.nan_to_num(error), fmt=".", color=f"C{k}", label="mean" if len(means) == 1 else f"mean, {k}")
        if self.theory is not None:
            for k, law in enumerate(self.theory.reshape(-1, len(x))):
                ax.plot(x, law, "k--", label="" if k else "theory")
        ax.set(xlabel=label, **scales)
        if label == "element":
            ax.locator_params(axis="x", integer=True)

    def _abscissa(self) -> tuple[np.ndarray, str, dict[str, str]]:
        """Over what the last axis is drawn, and how."""
        observer: Any = self.observers[0]
        count = self.values.shape[-1]
        if self.name == "histogram":
            return 0.5 * (observer.edges[1:] + observer.edges[:-1]), observer.quantity, {}
        if hasattr(observer, "lags"):
            lags = min((o.lags for o in self.observers), key=len)     # type: ignore[attr-defined]
            return lags[-count:], "lag", observer.scales if self.name == "value" else {"xscale": "log"}
        return np.arange(count), "element", {}


def _labels(observer: Observer) -> tuple[str, ...]:
    """What heads the lines of its table, where value, error and theory follow; else one line stands for it."""
    return observer.head[:-3] if observer.head[-3:] == Observer.head[1:] else Observer.head[:1]


def _rows(observer: Observer) -> Iterable[Sequence[Any]]:
    """The lines of its table: labels, value, error, theory."""
    return observer.rows() if observer.head[-3:] == Observer.head[1:] else Observer.rows(observer)


def _stacked(observers: Sequence[Observer], name: str) -> np.ndarray:
    """(r, ...) an attribute of each, as numbers."""
    found, kind = [getattr(observer, name) for observer in observers], type(observers[0]).__name__
    if name == "histogram":
        edges = [observer.edges for observer in observers]     # type: ignore[attr-defined]
        if not all(np.allclose(edges[0], other, rtol=SAME_BINS, atol=SAME_BINS * np.ptp(edges[0])) for other in edges):
            raise ValueError(f"the histograms of the replicas have different bins; give {kind} a range=(low, high)")
    try:
        arrays = [np.asarray(one, dtype=float) for one in found]
    except (TypeError, ValueError):
        found_type = type(found[0]).__name__
        raise TypeError(f"{name} of {kind} is {found_type}; only numbers and arrays of them have a mean") from None
    if hasattr(observers[0], "lags"):
        return _same_length(arrays)
    shapes = sorted({array.shape for array in arrays})
    if len(shapes) > 1:
        raise ValueError(f"{name} of {kind} has different shapes in the replicas: {', '.join(map(str, shapes))}")
    return np.array(arrays)


def _same_length(arrays: Sequence[Any]) -> np.ndarray:
    """(r, ...) what runs of different lengths have in common: the first lags."""
    least = min(np.shape(array)[-1:] for array in arrays)
    return np.array([np.asarray(array)[..., :least[0]] if least else array for array in arrays], dtype=float)


def merge_known(values: np.ndarray, errors: np.ndarray, weights: np.ndarray) -> Merged:
    """As `observables.merge`, but nan where one is not known."""
    known = np.isfinite(values).all(axis=0)
    sure = known & np.isfinite(errors).all(axis=0)
    mean, error, scatter = merge(np.where(known, values, 0.0), np.where(sure, errors, 0.0), weights)
    return Merged(_where(known, mean), _where(sure, error), _where(known, scatter))


def _where(known: np.ndarray, values: Any) -> Any:
    """A float, or an array; nan where it is not known."""
    found = np.where(known, values, math.nan)
    return found if found.ndim else float(found)
