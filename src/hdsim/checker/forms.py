"""The forms in which programs have discs, queues and systems: names of classes, methods, parameters and fields.

Only the standard library is used, because `runner` runs beside a student's program.
"""
from __future__ import annotations

import inspect
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
PLACES, VELOCITIES = ("position", "pos", "r", "p", "center", "centre", "location", "xy"), ("velocity", "vel", "v")
VECTORS = {"rx": (PLACES, 0), "ry": (PLACES, 1), "vx": (VELOCITIES, 0), "vy": (VELOCITIES, 1)}
CLOCKS = ("time", "t", "now", "current_time", "currentTime")
NUMBERS = ("rx", "ry", "vx", "vy", "radius", "mass")    # of a disc, in the checker's order
BOOK_PLAN = [[k, ""] for k in range(6)]


def class_of(program: ModuleType, role: str) -> Any:
    """The class for this role, or None. A Ball or a Disc is the program's Particle if it has one of its methods."""
    found = [thing for name in CLASSES[role] if inspect.isclass(thing := getattr(program, name, None))]
    if role == "Particle" and found and found[0].__name__ != "Particle":
        found = [cls for cls in found if any(method_of(cls, role, ours) for ours in METHODS[role])]
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
            vector = called(attribute(disc, spelling))
            return float(getattr(vector, "xy"[k]) if hasattr(vector, "xy"[k]) else vector[k])
    return None


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
    return "color" if plain in ("color", "colour", "rgb", "c") else "other"


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


def argument(kind: Any, disc: list[float]) -> Any:
    """The value of an argument of this kind."""
    if isinstance(kind, int):
        return disc[kind]
    return {"position": (disc[0], disc[1]), "velocity": (disc[2], disc[3]), "color": (0, 0, 0)}.get(kind, 0)


def make(cls: type, disc: list[float]) -> Any:
    """A disc. What its constructor does not take is set afterwards, as far as the disc has such a field."""
    plan = plan_of(cls)
    made = cls(*(argument(kind, disc) for kind, name in plan if not name),
               **{name: argument(kind, disc) for kind, name in plan if name})
    for k in missing(plan):
        put(made, NUMBERS[k], disc[k])
    return made


def missing(plan: list[list[Any]]) -> list[int]:
    """The numbers of a disc that the constructor does not take."""
    return [k for k in range(6) if k not in numbers_in([kind for kind, _ in plan])]


def put_of(cls: type) -> list[str]:
    """The names of the numbers that are set after a disc has been made."""
    return [NUMBERS[k] for k in missing(plan_of(cls))]


def unset_of(cls: type) -> list[str]:
    """The names of the numbers that the constructor does not take, and that cannot be set afterwards."""
    with suppress(Exception):
        disc = [.25, .75, .5, -.5, .0625, 2.]
        made = make(cls, disc)
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
                if isinstance(vector, tuple):
                    setattr(disc, spelling, (*vector[:k], value, *vector[k + 1:]))
                elif hasattr(vector, "xy"[k]):
                    setattr(vector, "xy"[k], value)
                else:
                    vector[k] = value
                return
