"""How systems and queues of other shapes are made and run: what their constructors and methods take.

Only the standard library is used, because `runner` runs beside a student's program.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

DISCS = ("particles", "particle_list", "particlelist", "balls", "ball_list", "discs", "disks", "pucks", "objects", "bodies", "ps")
ADDS = ("add", "add_particle", "addParticle", "add_ball", "addBall", "add_disc", "append", "insert_particle")
RATES = ("hz", "fps", "rate", "frequency", "frame_rate", "redraw_rate", "frames_per_second")
LIMITS = ("limit", "until", "end", "t_end", "tend", "end_time", "endtime", "t_max", "tmax", "max_time", "time_limit", "duration",
          "total_time", "stop", "time", "t", "frames")
SIDES = {"width": 0, "w": 0, "box_width": 0, "xmax": 0, "x_max": 0, "lx": 0, "height": 1, "h": 1, "box_height": 1, "ymax": 1,
         "y_max": 1, "ly": 1}
BOXES = ("box", "box_size", "boxsize", "size", "bounds", "dimensions", "dims")
SQUARES = ("length", "side", "l", "box_length", "boxlength")
HZ = 0.5            # redraws per time unit, as in the book
TAKEN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
CAPACITY = 400      # of a queue that must be told how many items it will hold


Arguments = tuple[list[Any], dict[str, Any]]


class Unknown(Exception):
    """Parameters that the checker does not know: their names."""


def required(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """The parameters that a call must give; None if they are not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def plain_name(p: inspect.Parameter) -> str:
    return p.name.strip("_").lower()


def sorted_out(needed: list[inspect.Parameter], values: list[Any]) -> Arguments:
    """The values of these parameters as positional and keyword arguments."""
    pairs = list(zip(needed, values))
    return ([value for p, value in pairs if p.kind != p.KEYWORD_ONLY],
            {p.name: value for p, value in pairs if p.kind == p.KEYWORD_ONLY})


def make_system(cls: type, discs: list[Any], size: Sequence[float]) -> Any:
    """A system of these discs."""
    given = system_arguments(cls, discs, size)
    return added(cls(), discs) if given is None else cls(*given[0], **given[1])


def system_arguments(cls: type, discs: Any, size: Sequence[Any]) -> Arguments | None:
    """CollisionSystem(particles), with the sides of its box if it requires them, or (*particles); None for a system without
    arguments, to which discs are added. Unknown for other parameters."""
    needed = required(cls)
    if needed is None:
        return [discs], {}
    parameters = list(inspect.signature(cls).parameters.values())
    if not needed and any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return list(discs), {}
    if not parameters:
        return None
    first = next(iter(parameters))
    if not needed:
        needed = [first] if side_of(first, size) is None else []
    needed = [p for p in parameters if p in needed or (p.kind in TAKEN and is_side(p))]      # those with a default, too
    named = [p for p in needed if plain_name(p) in DISCS]
    place = named[0] if named else next((p for p in needed if side_of(p, size) is None), needed[0])
    values = [discs if p is place else side_of(p, size) for p in needed]
    if any(value is None for value in values):
        raise Unknown(", ".join(p.name for p, value in zip(needed, values) if value is None))
    # What stands behind a parameter with a default that is left out is given by its name.
    left = [p for p in parameters if p not in needed][:1]
    behind = [p for p in needed if left and list(parameters).index(p) > list(parameters).index(left[0])]
    before = [(p, value) for p, value in zip(needed, values) if p not in behind]
    positional, by_name = sorted_out([p for p, _ in before], [value for _, value in before])
    return positional, by_name | {p.name: v for p, v in zip(needed, values) if p in behind}


def is_side(p: inspect.Parameter) -> bool:
    """Whether the default of a parameter is a side of the box, or both."""
    name, numbers = plain_name(p), (int, float)
    if name in SIDES and len(name) > 1:
        return isinstance(p.default, numbers)
    pair = p.default if isinstance(p.default, (tuple, list)) and len(p.default) == 2 else [None]
    return name in BOXES and all(isinstance(x, numbers) for x in pair)


def side_of(p: inspect.Parameter, size: Sequence[Any]) -> Any:
    """The value of a parameter for the sides of the box, or for the number of redraws per time; None for another one."""
    name = plain_name(p)
    if name in SIDES:
        return size[SIDES[name]]
    if name in BOXES:
        return tuple(size)
    if name in SQUARES and size[0] == size[1]:
        return size[0]
    return HZ if name in RATES else None


def added(system: Any, discs: list[Any]) -> Any:
    """The system, to which the discs have been added. Unknown if it has no method for it."""
    name = next((name for name in ADDS if callable(getattr(system, name, None))), None)
    holder = next((name for name in DISCS if isinstance(getattr(system, name, None), list)), None)
    if name is not None:
        for disc in discs:
            getattr(system, name)(disc)
    elif holder is not None:
        getattr(system, holder)[:] = discs
    else:
        raise Unknown
    return system


def takes_limit(simulate: Callable[..., Any]) -> bool:
    """Whether a simulation is given its time limit: by any parameter but the number of redraws."""
    try:
        parameters = inspect.signature(simulate).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(plain_name(p) not in RATES and p.kind != p.VAR_KEYWORD for p in parameters)


def run(simulate: Callable[..., Any], limit: float) -> None:
    """Run a simulation to its limit, also if it is a generator."""
    positional, named = simulate_arguments(simulate, limit)
    finish(simulate(*positional, **named))


def simulate_arguments(simulate: Callable[..., Any], limit: Any) -> Arguments:
    """simulate(limit), simulate(limit, hz) or simulate(). Unknown for other parameters."""
    needed = required(simulate)
    if needed is None:
        return [limit], {}
    if not needed and takes_limit(simulate):
        parameters = list(inspect.signature(simulate).parameters.values())
        named = next((p for p in parameters if plain_name(p) in LIMITS), parameters[0])
        first = named is parameters[0] and named.kind != named.KEYWORD_ONLY
        return ([limit], {}) if first else ([], {named.name: limit})
    free = [p for p in needed if plain_name(p) not in RATES]
    place = next((p for p in free if plain_name(p) in LIMITS), free[0] if free else None)
    values = [limit if p is place else HZ if plain_name(p) in RATES else None for p in needed]
    if None in values:
        raise Unknown(", ".join(p.name for p, value in zip(needed, values) if value is None))
    return sorted_out(needed, values)


def shown(cls: type, simulate: str) -> str:
    """How a system is made and run, as a line of Python with the words particles, WIDTH, HEIGHT and LIMIT; "" if that is not
    known."""
    def text(given: Arguments) -> str:
        positional, named = given
        return ", ".join([*map(str, positional), *(f"{name}={value}" for name, value in named.items())]).replace("'", "")

    with suppress(Exception):
        variadic = any(p.kind == p.VAR_POSITIONAL for p in inspect.signature(cls).parameters.values())
        discs: Any = ["*particles"] if variadic and not required(cls) else "particles"
        run = f"{simulate}({text(simulate_arguments(getattr(cls, simulate).__get__(object()), 'LIMIT'))})"
        made = system_arguments(cls, discs, ("WIDTH", "HEIGHT"))
        name, add = cls.__name__, next((name for name in ADDS if hasattr(cls, name)), "add")
        return f"s = {name}(); [s.{add}(p) for p in particles]; s.{run}" if made is None else f"{name}({text(made)}).{run}"
    return ""


def finish(result: Any) -> None:
    """Exhaust a generator, which runs only when it is asked."""
    if isinstance(result, Iterator):
        for _ in result:
            pass


def make_queue(cls: type) -> Any:
    """A queue: without arguments, or with a capacity, a key, or a function that compares two items."""
    needed = required(cls)
    values: list[Any] = []
    for p in needed or []:
        name = plain_name(p)
        values.append((lambda item: item) if "key" in name else
                      (lambda a, b: (a > b) - (a < b)) if "cmp" in name or "compar" in name else
                      (lambda a, b: a < b) if "less" in name or name in ("lt", "before") else
                      (lambda a, b: a > b) if "greater" in name or name == "gt" else
                      [] if name in ("items", "iterable", "data", "elements", "keys", "a", "values") else CAPACITY)
    if needed:
        positional, by_name = sorted_out(needed, values)
        return cls(*positional, **by_name)
    with suppress(TypeError):
        return cls()
    return cls(CAPACITY)
