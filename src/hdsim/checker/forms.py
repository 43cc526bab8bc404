"""The forms in which programs have discs, queues and systems: names of classes, methods, parameters and fields.

Only the standard library is used, because `runner` runs beside a student's program.
"""
from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

CLASSES = {"Particle": ("Particle", "Ball", "Disc", "Disk", "Puck"),
           "MinPQ": ("MinPQ", "MinPq", "Minpq", "MinHeap"), "Event": ("Event",),
           "CollisionSystem": ("CollisionSystem", "Collisionsystem")}

# Name of a method in the checker -> its names in the book, in translations of the book, and in the assignment.
METHODS: dict[str, dict[str, tuple[str, ...]]] = {
    "Particle": {
        "move": ("move",),
        "time_to_hit": ("time_to_hit", "timeToHit", "collides"),
        "time_to_hit_vertical_wall": ("time_to_hit_vertical_wall", "timeToHitVerticalWall", "collides_x", "collidesX"),
        "time_to_hit_horizontal_wall": ("time_to_hit_horizontal_wall", "timeToHitHorizontalWall", "collides_y", "collidesY"),
        "bounce_off": ("bounce_off", "bounceOff", "bounce"),
        "bounce_off_vertical_wall": ("bounce_off_vertical_wall", "bounceOffVerticalWall", "bounce_x", "bounceX"),
        "bounce_off_horizontal_wall": ("bounce_off_horizontal_wall", "bounceOffHorizontalWall", "bounce_y", "bounceY"),
    },
    "MinPQ": {"insert": ("insert", "push", "add"), "del_min": ("del_min", "delMin", "delete_min", "deleteMin", "pop"),
              "is_empty": ("is_empty", "isEmpty", "empty"), "size": ("size", "__len__"), "min": ("min", "peek")},
    "Event": {"compare": ("__lt__", "compare_to", "compareTo", "__gt__"), "is_valid": ("is_valid", "isValid")},
    "CollisionSystem": {"simulate": ("simulate", "run")},
}
FIELDS = {"rx": ("rx", "x", "px", "pos_x", "x_pos", "xcor"), "ry": ("ry", "y", "py", "pos_y", "y_pos", "ycor"),
          "vx": ("vx", "v_x", "dx", "vel_x", "x_vel", "xv"), "vy": ("vy", "v_y", "dy", "vel_y", "y_vel", "yv"),
          "radius": ("radius", "rad", "sigma", "size", "r", "s"), "mass": ("mass", "m"),
          "count": ("count", "collision_count", "collisionCount", "collisions", "get_collision_count", "getCollisionCount")}
PLACES = ("position", "pos", "r", "p", "z", "center", "centre", "location", "xy", "point", "coords", "coordinates")
VELOCITIES = ("velocity", "vel", "v", "speed", "w")
VECTORS = {"rx": (PLACES, 0), "ry": (PLACES, 1), "vx": (VELOCITIES, 0), "vy": (VELOCITIES, 1)}
CLOCKS = ("time", "t", "now", "current_time", "currentTime")
NUMBERS = ("rx", "ry", "vx", "vy", "radius", "mass")    # of a disc, in the checker's order
# Parameters that take the sides of the box.
SIDES = {"width": "width", "box_width": "width", "boxwidth": "width", "w_box": "width", "xmax": "width", "x_max": "width",
         "lx": "width", "height": "height", "box_height": "height", "boxheight": "height", "h_box": "height", "ymax": "height",
         "y_max": "height", "ly": "height", "box": "box", "box_size": "box", "boxsize": "box", "bounds": "box", "walls": "box"}
BOOK_PLAN = [[k, ""] for k in range(6)]


Pair = Callable[[float, float], Any]


def tuple_of(x: float, y: float) -> tuple[float, float]:
    return x, y


def class_of(program: ModuleType, role: str) -> Any:
    """The class for this role, or None. A Ball or a Disc is the program's Particle if it has one of its methods, or if it is made
    from a position and a velocity, for a system that does all by itself."""
    found = [thing for name in CLASSES[role] if inspect.isclass(thing := getattr(program, name, None))]
    if role == "Particle" and found and found[0].__name__ != "Particle":
        found = [cls for cls in found if any(method_of(cls, role, ours) for ours in METHODS[role]) or {0, 1, 2, 3} <= numbers_in(
            [kind for kind, _ in plan_of(cls)])]
    return found[0] if found else None


def method_of(cls: type, role: str, method: str) -> str | None:
    """The name that the class has for the method, or None; __lt__ and similar ones only if the class itself defines them."""
    return next((name for name in METHODS[role][method]
                 if hasattr(cls, name) and getattr(cls, name) is not getattr(object, name, 0)), None)


def attribute(thing: Any, name: str) -> Any:
    """The value of an attribute, also under its private names (_name, __name). AttributeError if there is none."""
    for spelling in spellings(thing, name):
        if hasattr(thing, spelling):
            return getattr(thing, spelling)
    raise AttributeError(name)


def field(disc: Any, name: str) -> Any:
    """A coordinate of a disc; None if the disc has no such attribute."""
    short = name[-1] if name in ("rx", "ry") else name
    getters = (f"get_{name}", f"get{name[0].upper()}{name[1:]}", f"get{short.upper()}")
    for spelling in (*FIELDS[name], *getters):
        with suppress(AttributeError, TypeError, ValueError):
            return float(called(attribute(disc, spelling)))
    vectors, k = VECTORS.get(name, ((), 0))
    for spelling in vectors:
        with suppress(AttributeError, TypeError, ValueError, IndexError):
            return component(called(attribute(disc, spelling)), k)
    return None


def component(vector: Any, k: int) -> float:
    """A component of a vector: a complex number, an object with x and y, or a sequence."""
    if isinstance(vector, complex):
        return (vector.real, vector.imag)[k]
    with suppress(AttributeError):
        return float(called(attribute(vector, "xy"[k])))
    return float(vector[k])


def called(value: Any) -> Any:
    """The value of a property, or the result of a method that is called without arguments."""
    return value() if callable(value) else value


def state(disc: Any) -> list[Any]:
    return [field(disc, name) for name in ("rx", "ry", "vx", "vy", "count")]


def kind_of(name: str) -> Any:
    """What a parameter of this name holds: the number of a coordinate, "position", "velocity", "color", or "other"."""
    plain = name.strip("_").lower()
    plain = plain[:-1] if plain[-1:] == "0" else plain
    for k, ours in enumerate(NUMBERS):
        if plain in (known.lower() for known in FIELDS[ours]):
            return k
    if plain in PLACES:
        return "position"
    if plain in VELOCITIES:
        return "velocity"
    if plain in SIDES:
        return SIDES[plain]
    return "color" if plain in ("color", "colour", "rgb", "c") else "other"


def wall_of(places: list[tuple[float, float]], far: bool, same: float = 1e-9) -> float | None:
    """The place of a wall by where discs turn there, as (centre, radius); None if they show no wall. A centre is one radius away
    from it, or by a usual error none, two, or one beyond it. far: the right or top wall."""
    for factor in (1, 0, 2, -1):
        walls = [centre + (factor if far else -factor) * radius for centre, radius in places]
        if max(walls) - min(walls) <= same * max(1.0, *map(abs, walls)):
            return sum(walls) / len(walls)
    return None


def numbers_in(kinds: list[Any]) -> set[Any]:
    """The numbers of a disc that arguments of these kinds hold; other kinds stand for themselves."""
    return {k for kind in kinds for k in {"position": (0, 1), "velocity": (2, 3)}.get(kind, (kind,))}


def plan_of(cls: type) -> list[list[Any]]:
    """The arguments of the constructor, each as [kind, keyword or ""]: by the names of the parameters in any order if these give
    position and velocity, or if nothing is required; otherwise the six numbers in the book's order, and what else is required.
    """
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return BOOK_PLAN
    fixed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    required = [p for p in fixed if p.default is p.empty]
    kinds = [kind_of(p.name) for p in fixed]
    if 4 in kinds and kinds.count(4) > 1:       # r beside radius is the position
        kinds = ["position" if kind == 4 and p.name.strip("_") == "r" else kind for kind, p in zip(kinds, fixed)]
    numbers = [k for k in kinds if isinstance(k, int)]
    named = {0, 1, 2, 3} <= numbers_in(kinds) and len(numbers) == len(set(numbers))
    if not named and required and len(fixed) >= 6 or len(parameters) > len(fixed):
        more = max(len(required) - 6, 0)
        return [*BOOK_PLAN, *([["color", ""]] if more == 1 else [["other", ""]] * more)]
    plan, skipped = [], False
    others = sum(kind in ("other", "color") and p.default is p.empty for kind, p in zip(kinds, fixed))
    for kind, p in zip(kinds, fixed):
        if kind in ("other", "color") and p.default is not p.empty:
            skipped = True
            continue
        shown = "color" if kind == "other" and others == 1 else kind
        plan.append([shown, p.name if skipped or p.kind == p.KEYWORD_ONLY else ""])
    return plan


def argument(kind: Any, disc: list[float], pair: Pair = tuple_of) -> Any:
    """The value of an argument of this kind; positions and velocities are made by `pair`. Boxes are the unit box."""
    if isinstance(kind, int):
        return disc[kind]
    if kind in ("position", "velocity"):
        return pair(*(disc[:2] if kind == "position" else disc[2:4]))
    return {"color": (0, 0, 0), "width": 1.0, "height": 1.0, "box": (1.0, 1.0)}.get(kind, 0)


def pairs_of(program: ModuleType) -> list[tuple[str, Pair]]:
    """The forms of a pair of numbers that a program may expect, with their names as they are called: tuples, lists, arrays of
    NumPy, the program's own classes of vectors, complex numbers."""
    own = [(name, thing) for name, thing in vars(program).items() if inspect.isclass(thing) and not issubclass(thing, Exception)
           and thing.__module__ == program.__name__ and all(name not in names for names in CLASSES.values())]
    arrays = [("numpy.array", lambda x, y: sys.modules["numpy"].array([x, y]))] if "numpy" in sys.modules else []
    return [("", tuple_of), ("list", lambda x, y: [x, y]), *arrays, *own, ("complex", complex)]


def pair_of(cls: type, program: ModuleType) -> tuple[str, Pair]:
    """The form of positions and velocities with which discs can be made, and moved; tuples if none is such a form."""
    if not {"position", "velocity"} & {kind for kind, _ in plan_of(cls)}:
        return "", tuple_of
    for name, pair in pairs_of(program):
        with suppress(Exception):
            made = make(cls, [.25, .75, .5, -.5, .0625, 2.], pair)
            move = method_of(cls, "Particle", "move")
            if move is not None:
                getattr(made, move)(.5)
            if [field(made, name) for name in NUMBERS[:4]] == [*((.25, .75) if move is None else (.5, .5)), .5, -.5]:
                return name, pair
    return "", tuple_of


def make(cls: type, disc: list[float], pair: Pair = tuple_of) -> Any:
    """A disc. What its constructor does not take is set afterwards, as far as the disc has such a field."""
    plan = plan_of(cls)
    made = cls(*(argument(kind, disc, pair) for kind, name in plan if not name),
               **{name: argument(kind, disc, pair) for kind, name in plan if name})
    for k in missing(plan):
        put(made, NUMBERS[k], disc[k])
    return made


def missing(plan: list[list[Any]]) -> list[int]:
    """The numbers of a disc that the constructor does not take."""
    return [k for k in range(6) if k not in numbers_in([kind for kind, _ in plan])]


def put_of(cls: type) -> list[str]:
    """The names of the numbers that are set after a disc has been made."""
    return [NUMBERS[k] for k in missing(plan_of(cls))]


def unset_of(cls: type, pair: Pair = tuple_of) -> list[str]:
    """The names of the numbers that the constructor does not take, and that cannot be set afterwards."""
    with suppress(Exception):
        disc = [.25, .75, .5, -.5, .0625, 2.]
        made = make(cls, disc, pair)
        return [NUMBERS[k] for k in missing(plan_of(cls)) if field(made, NUMBERS[k]) != disc[k]]
    return []


def spellings(thing: Any, name: str) -> list[str]:
    """The name of an attribute, and its private names (_name, __name)."""
    return [name, "_" + name, *(f"_{cls.__name__.lstrip('_')}__{name}" for cls in type(thing).__mro__)]


def put(disc: Any, name: str, value: float) -> None:
    """Set a coordinate of a disc, in the field that shows it; without one, nothing happens."""
    for known in FIELDS[name]:
        for spelling in spellings(disc, known):
            if isinstance(getattr(disc, spelling, None), (int, float)):
                with suppress(AttributeError, TypeError):
                    setattr(disc, spelling, value)
                return
    vectors, k = VECTORS.get(name, ((), 0))
    for known in vectors:
        for spelling in spellings(disc, known):
            vector = getattr(disc, spelling, None)
            if vector is None or callable(vector):
                continue
            with suppress(AttributeError, TypeError, ValueError, IndexError):
                if isinstance(vector, complex):
                    setattr(disc, spelling, complex(value, vector.imag) if k == 0 else complex(vector.real, value))
                elif isinstance(vector, tuple):
                    setattr(disc, spelling, (*vector[:k], value, *vector[k + 1:]))
                elif hasattr(vector, "xy"[k]):
                    setattr(vector, "xy"[k], value)
                else:
                    vector[k] = value
                return
