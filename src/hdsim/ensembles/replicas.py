"""Ensembles: independent replicas of a system that are run and observed, and averages over them.

    runs = ensemble(make, 16, [Pressure(), FreePath()], warm_up=5, until=100)
    print(runs.table())

A replica is the system `make(seed)`, run and observed. Its result does not depend, bit for bit, on the thread or process in which
it runs. An executor needs only the method `submit`, which returns an object with the methods result, cancel and add_done_callback
of futures.
"""
from __future__ import annotations

import copy
import math
import operator
import os
import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import islice
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..language import plural
from ..model.errors import ReplicaError
from ..model.machine import require_threads
from ..model.numbers import shown
from ..model.roles import Measurable, lacking
from ..observables import Merged, merge
from ..observers import EventRecorder, Observer, new_figure, notebook_html, observer_of, text_table

CHUNK = 0.1         # seconds of a piece of a run, after which `Stop` is checked: the longest delay of Ctrl-C
SAME_BINS = 1e-9    # relative tolerance for equal edges of histograms, which may be computed from slightly different temperatures
MARGIN = 0.25       # of a plot, beside the first and the last replica

Make = Callable[[int], Measurable]


class Executor(Protocol):
    """The method of an executor that is needed, as `concurrent.futures.Executor` has it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


class Stop:
    """A flag by which replicas are asked to end early. It is shared by all replicas in this process. In another process a replica
    has an unpickled copy, which is set only by that replica's own failure."""

    asked = False


class Plan(NamedTuple):
    """The limits of the run of each replica: the end of the warm-up, and the end of the observed run."""

    warm_up: float | None
    until: float | None
    max_events: int | None


class Replica(NamedTuple):
    """The result of one run: hash, number of contacts while observed, and the detached observers."""

    hash: str
    contacts: int
    observers: tuple[Observer, ...]


# One replica, in any thread or process.


def _replica(make: Make, seed: int, observers: Sequence[Observer], plan: Plan, stop: Stop) -> Replica | None:
    """Make, run and observe one replica; None if `stop` was set before its end. ReplicaError for any exception."""
    if stop.asked:
        return None
    try:
        system = checked_system(make(seed), Measurable)
        if plan.warm_up is not None:
            run_in_pieces(system, plan.warm_up, None, stop)
        observers = [copy.deepcopy(observer) for observer in observers]     # the call may be executed again
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


def checked_system(made: Any, role: type) -> Any:
    """What `make` returned. TypeError, naming the missing members, if it does not play this role."""
    if missed := lacking(made, role):
        raise TypeError(f"make returned {type(made).__name__}; it must return a CollisionSystem or a spaces.Gas, and this has no "
                        f"{missed}")
    return made


def run_in_pieces(system: Measurable, until: float | None, max_events: int | None, stop: Stop,
                  between: Callable[[], Any] = lambda: None, piece: float | None = None) -> int:
    """Do the same as system.simulate(until, max_events), in pieces; `stop` is checked before each piece, because Ctrl-C does not
    interrupt a thread. Returns the number of contacts.

    between: called after each piece but the last. piece: wall-clock seconds of a piece, CHUNK if None. A system with callbacks
    runs in one piece."""
    seconds = CHUNK if piece is None else piece
    if system.has_callbacks:     # a callback may end the run; in pieces it would end only one piece
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


# All replicas.


def ensemble(make: Make, seeds: int | Iterable[int], observers: Any, *, until: float | None = None,
             max_events: int | None = None, warm_up: float | None = None, executor: Executor | None = None,
             progress: Callable[[int, int], Any] | None = None) -> Ensemble:
    """Run and observe independent replicas; returns an `Ensemble`. For each seed, in any order:

        system = make(seed)
        system.simulate(until=warm_up)          # unless warm_up is None
        ...                                     # attach copies of the observers
        system.simulate(until, max_events)      # until is a time of the replica's own clock

    make: a function of a seed that returns a new `CollisionSystem`, of discs or of spheres, or a new `spaces.Gas`. seeds:
    different integers, or their number for 0, 1, 2, ... observers: one or several observers, or a function without arguments
    that returns them. An observer that needs no arguments may be given by its name, such as "pressure". Each replica gets copies
    of them, so they must not be attached to a system.

    executor: an object with the `submit` of `concurrent.futures.Executor`; None for as many threads as there are cores. For an
    executor with processes, `make` must be a function at the top of a module. The result has the same bits in any case.
    progress: called as progress(finished, total) after each replica.

    If a replica fails, the others are ended, and ReplicaError gives its seed. Ctrl-C ends all replicas too; a call of `make` and
    a run with callbacks or timers are not interrupted. ValueError if two seeds give the same run, because the error bar of such
    replicas would be wrong, and for limits that do not end a run. TypeError and RuntimeError for other wrong arguments.
    """
    if not callable(make):
        raise TypeError(f"make must be a function of a seed, got {type(make).__name__}")
    numbers, prototypes = checked_seeds(seeds), checked_observers(observers)
    plan = checked_plan(warm_up, until, max_events)
    if executor is not None:
        return Ensemble(numbers, _replicas(make, numbers, prototypes, plan, executor, progress))
    require_threads("hdsim.ensemble", "run the replicas one after another in a loop, or give an executor")
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(cores(), len(numbers))) as pool:
        return Ensemble(numbers, _replicas(make, numbers, prototypes, plan, pool, progress))


def _replicas(make: Make, seeds: Sequence[int], prototypes: Sequence[Observer], plan: Plan, executor: Executor,
              progress: Callable[[int, int], Any] | None) -> list[Replica]:
    """The replicas, one for each seed and in the order of the seeds."""
    calls = [(make, seed, prototypes, plan) for seed in seeds]
    twins, found = Twins(), dict[int, Replica]()

    def take(number: int, future: Any) -> None:
        seed = seeds[number]
        replica = result_of(future, f"seed {seed}", seed, {"make": make, **_named(prototypes)})
        if replica is None:
            return
        twins.refuse(replica.hash, replica.contacts, seed)
        found[number] = replica
        if progress is not None:
            progress(len(found), len(seeds))

    gather(executor, _replica, calls, take, len(calls))
    return [found[number] for number in range(len(calls))]


def gather(executor: Executor, work: Callable[..., Any], calls: Iterable[tuple[Any, ...]], take: Callable[[int, Any], Any],
           window: int) -> None:
    """Submit work(*call, stop) for each call, and call take(number of the call, future) for each as soon as it is done.

    window: the executor has so many calls at one time at most; the next one is taken from `calls` when one is done. The first
    exception, of a call or of `take`, cancels all other calls and is raised. A call whose result is None has ended early because
    another one failed, whose exception follows."""
    stop, futures, numbered = Stop(), dict[int, Any](), enumerate(calls)
    done: SimpleQueue[int] = SimpleQueue()
    broken: list[Exception] = []

    def submit(most: int) -> None:
        for number, call in islice(numbered, 0 if broken else most):
            try:
                futures[number] = executor.submit(work, *call, stop)
            except Exception as error:      # a worker has died: the call that was there says so, and which it was
                broken.append(error)
                return
            futures[number].add_done_callback(partial(_note, done, number))

    try:
        submit(window)
        while futures:
            number = done.get()
            take(number, futures.pop(number))
            submit(1)
        if broken:
            raise broken[0]
    except BaseException:
        stop.asked = True
        for future in futures.values():
            future.cancel()
        raise


def _note(done: SimpleQueue[int], number: int, future: Any) -> None:
    done.put(number)


class Twins:
    """Detects two seeds that give the same run."""

    def __init__(self) -> None:
        self._owner: dict[str, int] = {}      # seed by hash of the run

    def refuse(self, run: str, contacts: int, seed: int) -> None:
        """ValueError if a run with this hash was made from another seed before, unless it has no contacts."""
        twin = self._owner.setdefault(run, seed)
        if contacts and twin != seed:
            raise ValueError(f"seeds {twin} and {seed} gave the same run; make(seed) must make another system of each seed")


def result_of(future: Any, place: str, seed: int, things: dict[str, Any]) -> Any:
    """The result of a replica. TypeError if one of `things` (objects by name that the executor may have to pickle) cannot be
    pickled; ReplicaError, with `place` and `seed`, for other exceptions."""
    try:
        return future.result()
    except ReplicaError:
        raise
    except Exception as error:      # the call was not run, or its result could not be transferred
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
    """The seeds as a tuple; 0, 1, 2, ... for a number of seeds. TypeError if they are not integers, ValueError if there is none
    or one occurs twice."""
    try:
        numbers = tuple(map(operator.index, seeds if isinstance(seeds, Iterable) else range(operator.index(seeds))))
    except TypeError:
        raise TypeError(f"seeds is {shown(seeds)}; it must be integers, or how many") from None
    if not numbers:
        raise ValueError(f"seeds is {shown(seeds)}; there must be at least one")
    if len(set(numbers)) < len(numbers):
        twice = next(seed for k, seed in enumerate(numbers) if seed in numbers[:k])
        raise ValueError(f"seed {twice} is given twice; replicas must be independent")
    return numbers


def checked_observers(observers: Any) -> list[Observer]:
    """The observers as a list, from one or several or a function that returns them; names are those of `observer_of`. TypeError
    for other objects, for a class whose constructor needs arguments, and for an EventRecorder; RuntimeError for an attached
    observer; ValueError for an unknown name, and if there is no observer."""
    given = observers() if callable(observers) else observers
    found = [observer_of(observer, {}) for observer in
             ([given] if isinstance(given, str) or not isinstance(given, Iterable) else given)]
    for observer in found:
        if isinstance(observer, EventRecorder):
            raise TypeError("an EventRecorder has no mean over replicas")
        if observer.attached:
            raise RuntimeError(f"this {type(observer).__name__} is attached to a system; give one that is not: replicas take "
                               f"copies")
    if not found:
        raise ValueError("there must be at least one observer")
    return found


def checked_plan(warm_up: float | None, until: float | None, max_events: int | None) -> Plan:
    """The limits of a run as a `Plan`. ValueError if nothing ends the run, or the warm-up does not end before `until`."""
    end = math.inf if until is None else until
    if not (end < math.inf or max_events is not None):
        raise ValueError(f"until is {shown(until)} and max_events is None, so that nothing ends a run; give one of them")
    if warm_up is not None and not -math.inf < warm_up < end:
        raise ValueError(f"warm_up is {shown(warm_up)}; it must be a time before until, which is {shown(until)}")
    return Plan(warm_up, until, max_events)


def cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Results.


class Ensemble(Sequence[tuple[Observer, ...]]):
    """Replicas that have run. `runs[k]` is the tuple of the detached observers of the k-th replica; len(runs) is their number.

    seeds, hashes: of the replicas, in the order of the seeds. contacts: of all replicas together, while they were observed.
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
        return plural(f"<Ensemble of {len(self)} replica(s): {kinds}>")

    def _repr_html_(self) -> str:
        """In a notebook: the averages, each as a table and a figure."""
        return "\n".join(average._repr_html_() for average in self.averages)

    def table(self) -> str:
        """The averages as text in columns."""
        parts = [f"{type(average.observers[0]).__name__}\n{average.table()}" for average in self.averages]
        return "\n\n".join([plural(f"{len(self)} replica(s), {self.contacts} contact(s)"), *parts])

    def plot(self, ax: Any = None) -> Any:
        """Draw the averages, each into one of the axes `ax`, or of a new figure; returns an array of the axes. ImportError
        without matplotlib, ValueError for another number of axes than observers."""
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
    """The average of one observer over all replicas: numbers or arrays, averaged element by element, nan where a replica has nan.

    value: the mean over the replicas, weighted with the time for which each was observed. error: one standard deviation of the
    mean, from the differences between the replicas; its relative accuracy is 1/sqrt(2(r - 1)) for r replicas. For a single
    replica it is the replica's own error. propagated: the error of the mean from the errors of the replicas. If it is smaller
    than `error` by more than that accuracy, a run is too short, or the systems of `make` differ. theory: the mean of the
    predictions for the replicas; None if one has none. values, errors: (r, ...) of the replicas. observers: of the replicas.
    """

    def __init__(self, observers: Sequence[Observer], name: str = "value") -> None:
        self.observers = tuple(observers)
        self.name = name
        self._weights = np.array([observer.elapsed for observer in observers])

    def of(self, name: str) -> Average:
        """The average of another attribute of the observer, such as "histogram" or "compressibility_factor", without errors of
        the single replicas and without theory."""
        return Average(self.observers, name)

    @cached_property
    def values(self) -> np.ndarray:
        """(r, ...) the values of the replicas, in the order of the seeds. ValueError if their shapes or bins differ, TypeError if
        they are not numbers."""
        return _stacked(self.observers, self.name)

    @cached_property
    def errors(self) -> np.ndarray:
        """(r, ...) the errors of the replicas, each by blocking; nan for a run that is too short."""
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
        """The weighted mean of the predictions for the replicas; None if one of them is None."""
        if any(law is None for law in laws):
            return None
        arrays = _same_length(laws)
        return merge_known(arrays, np.full(arrays.shape, math.nan), self._weights).mean

    def table(self) -> str:
        """The average as text in columns, with the rows of the observer's table that all replicas have in common."""
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        """In a notebook: the table, errors behind their values, and the figure."""
        title = plural(f"{type(self.observers[0]).__name__}: {self.name}, mean of {len(self.observers)} replica(s)")
        return notebook_html(title, *self._table(), lambda figure: self.plot(figure.add_subplot()))

    def _table(self) -> tuple[tuple[str, ...], Iterable[Sequence[Any]]]:
        head, rows = ((self.name,), self._elements()) if self.name != "value" else (_labels(self.observers[0]), self._lines())
        return (*head, "value", "error", "propagated", "theory"), rows

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
        """Draw the average into the axes `ax`, or a new figure; returns the axes. For a number: the replicas with their errors,
        and the mean with its error as a band. For an array: the mean with its error. ImportError without matplotlib."""
        ax = new_figure().add_subplot() if ax is None else ax
        if np.ndim(self.value) == 0:
            self._draw_replicas(ax)
        else:
            self._draw_array(ax)
        ax.set_ylabel(f"{type(self.observers[0]).__name__}: {self.name}")
        if self.values.size:        # there is something to explain: a periodic box has no surfaces
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
        """The abscissa of a plot of the last axis: its values, its label, and options for the axes."""
        observer: Any = self.observers[0]
        count = self.values.shape[-1]
        if self.name == "histogram":
            return 0.5 * (observer.edges[1:] + observer.edges[:-1]), observer.quantity, {}
        if hasattr(observer, "lags"):
            lags = min((o.lags for o in self.observers), key=len)     # type: ignore[attr-defined]
            return lags[-count:], "lag", observer.scales if self.name == "value" else {"xscale": "log"}
        return np.arange(count), "element", {}


def _labels(observer: Observer) -> tuple[str, ...]:
    """The headings of the columns before value, error and theory in the observer's table; if the table does not end in these
    columns, that of the table of `Observer`, which has one row."""
    return observer.head[:-3] if observer.head[-3:] == Observer.head[1:] else Observer.head[:1]


def _rows(observer: Observer) -> Iterable[Sequence[Any]]:
    """The rows of the observer's table: labels, value, error, theory; see `_labels`."""
    return observer.rows() if observer.head[-3:] == Observer.head[1:] else Observer.rows(observer)


def _stacked(observers: Sequence[Observer], name: str) -> np.ndarray:
    """(r, ...) the attribute `name` of each observer, as numbers. ValueError and TypeError as for `Average.values`."""
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
    """(r, ...) the arrays, cut off along the last axis to the length of the shortest, because a short run has fewer lags."""
    least = min(np.shape(array)[-1:] for array in arrays)
    return np.array([np.asarray(array)[..., :least[0]] if least else array for array in arrays], dtype=float)


def merge_known(values: np.ndarray, errors: np.ndarray, weights: np.ndarray) -> Merged:
    """The same as `observables.merge`, element by element, but with nan where a value or an error of a replica is nan."""
    known = np.isfinite(values).all(axis=0)
    sure = known & np.isfinite(errors).all(axis=0)
    mean, error, scatter = merge(np.where(known, values, 0.0), np.where(sure, errors, 0.0), weights)
    return Merged(_where(known, mean), _where(sure, error), _where(known, scatter))


def _where(known: np.ndarray, values: Any) -> Any:
    """`values` with nan where `known` is False; a float or an array."""
    found = np.where(known, values, math.nan)
    return found if found.ndim else float(found)
