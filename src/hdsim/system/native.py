"""Functions in machine code that `on_collision` accepts as callbacks besides Python callables.

Their signature is `int f(const hdsim_event *event, void *data)`, or, in three dimensions and if they wish in two,
`int f(const hdsim_event_in *event, void *data)`, see hdsim.h. They are recognised by their types without an import of ctypes,
cffi, numba or scipy: if such an object exists, its module has been imported already.
"""
from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np

from .._core import NativeCallback, capsule_parts
from ..model.numbers import shown

SIGNATURE = "int (const hdsim_event *, void *)"
SIGNATURE_IN = "int (const hdsim_event_in *, void *)"
STATE = np.dtype([(name, "f8") for name in ("x", "y", "vx", "vy", "radius", "mass")])
CONTACT = np.dtype([("i", "i4"), ("j", "i4"), ("impulse", "f8"), ("normal_x", "f8"), ("normal_y", "f8"), ("a", STATE),
                    ("b", STATE)])
# The struct hdsim_event as a dtype, for numba and ctypes. `contacts` is the address of an array of `contact_count` CONTACTs.
EVENT = np.dtype([("size", "i4"), ("kind", "i4"), ("contact_count", "i8"), ("time", "f8"), ("contacts", "u8"),
                  ("contact", CONTACT), ("obstacle", "i8")])
# The struct hdsim_event_in likewise, and those in it: vectors have four numbers, of which those behind the axes are 0.
STATE_IN = np.dtype([("position", "f8", 4), ("velocity", "f8", 4), ("radius", "f8"), ("mass", "f8")])
CONTACT_IN = np.dtype([("i", "i4"), ("j", "i4"), ("impulse", "f8"), ("normal", "f8", 4), ("a", STATE_IN), ("b", STATE_IN)])
EVENT_IN = np.dtype([("size", "i4"), ("kind", "i4"), ("contact_count", "i8"), ("time", "f8"), ("contacts", "u8"),
                     ("contact", CONTACT_IN), ("obstacle", "i8")])
# What an accepted function takes as its event: the structure of the plane, that with vectors, or a pointer to anything.
TAKEN = {"int(hdsim_event*,void*)": "hdsim_event", "int(hdsim_event_in*,void*)": "hdsim_event_in", "int(void*,void*)": ""}
HOLDS_GIL = 4       # in the _flags_ of ctypes: FUNCFLAG_PYTHONAPI


def native_callback(callback: Any, kinds: int, dimension: int) -> NativeCallback | None:
    """The callback in the form that the engine calls for events of these kinds, or None if it is not a function in machine code.
    kinds: bits of `KINDS`. dimension: of the system, 2 or 3. TypeError for a null pointer and for another signature, ValueError
    in three dimensions for a function that takes an event of two."""
    found = _find(callback)
    if found is None:
        return None
    address, data, takes = found
    if not address:
        raise TypeError("the callback is a null pointer")
    if dimension > 2 and takes == "hdsim_event":
        raise ValueError(f"the callback has the signature {shown(SIGNATURE)}, for two dimensions; this system has three: "
                         f"use {shown(SIGNATURE_IN)}")
    return NativeCallback(address, data, kinds, callback, dimension == 2 and takes == "hdsim_event_in")


def _find(callback: Any) -> tuple[int, int, str] | None:
    """The address of the function and of its data, and what it takes, a value of TAKEN; or None for an object that is not a
    function in machine code."""
    if isinstance(callback, tuple) and type(callback).__name__ == "LowLevelCallable":
        callback = tuple.__getitem__(callback, 0)
    if type(callback).__name__ == "PyCapsule":
        return _in_capsule(callback)
    if "ctypes" in sys.modules and isinstance(callback, sys.modules["ctypes"]._CFuncPtr):
        return _in_ctypes(callback)
    if "_cffi_backend" in sys.modules and isinstance(callback, sys.modules["_cffi_backend"]._CDataBase):
        return _in_cffi(callback)
    if type(callback).__module__.startswith("numba.") and hasattr(callback, "native_name"):
        return _in_numba(callback)
    return None


def _taken(signature: str, advice: str) -> str:
    """What a function of this signature takes, a value of TAKEN. TypeError for another signature."""
    bare = re.sub(r"\b(const|struct|noexcept|nogil)\b|\s", "", signature)
    if bare not in TAKEN:
        raise TypeError(f"the callback has the signature {signature!r}; it must be {shown(SIGNATURE)}, or the same with "
                        f"hdsim_event_in{advice}")
    return TAKEN[bare]


def _structure(size: int) -> str:
    """The C name of a pointer to a structure of this size in bytes, whatever its own name is. One that is neither of those of
    hdsim.h, such as one of the first fields, is what the system has."""
    return {EVENT.itemsize: "hdsim_event *", EVENT_IN.itemsize: "hdsim_event_in *"}.get(size, "void *")


def _in_capsule(capsule: Any) -> tuple[int, int, str]:
    signature, address, context = capsule_parts(capsule)
    return address, context, _taken(signature, ", as the name of the PyCapsule")


def _in_ctypes(function: Any) -> tuple[int, int, str]:
    ctypes = sys.modules["ctypes"]
    arguments = [_ctypes_name(ctypes, a) for a in function.argtypes or ()]
    takes = _taken(f"{_ctypes_name(ctypes, function.restype)} ({', '.join(arguments)})",
                   ": restype = ctypes.c_int, argtypes = [ctypes.c_void_p, ctypes.c_void_p]")
    if function._flags_ & HOLDS_GIL:
        raise TypeError("the callback expects the GIL (ctypes.PyDLL, PYFUNCTYPE), but is called without it; "
                        "use CDLL or CFUNCTYPE")
    return ctypes.cast(function, ctypes.c_void_p).value or 0, 0, takes


def _ctypes_name(ctypes: Any, kind: Any) -> str:
    """The C name of a ctypes type."""
    if kind is ctypes.c_void_p:
        return "void *"
    target = getattr(kind, "_type_", None)
    if isinstance(target, type) and issubclass(target, ctypes.Structure):
        return _structure(ctypes.sizeof(target))
    return {None: "void", ctypes.c_int: "int"}.get(kind, getattr(kind, "__name__", repr(kind)))


def _in_cffi(function: Any) -> tuple[int, int, str]:
    cffi = sys.modules["_cffi_backend"]
    takes = _taken(cffi.typeof(function).cname.replace("(*)", " "),
                   "; ffi.addressof(lib, \"f\") is a pointer to a function of a library")
    return int(cffi.cast(cffi.new_primitive_type("uintptr_t"), function)), 0, takes


def _in_numba(function: Any) -> tuple[int, int, str]:
    signature = function._sig
    names = [_numba_name(a) for a in signature.args]
    takes = _taken(f"{_numba_name(signature.return_type)} ({', '.join(names)})",
                   ": int32(CPointer(...), voidptr), or int32(voidptr, voidptr)")
    return function.address, 0, takes


def _numba_name(kind: Any) -> str:
    """The C name of a numba type."""
    name = str(kind)
    if name == "void*":
        return "void *"
    record = re.match(r"Record\(.*;(\d+);(?:True|False)\)\*$", name)
    return _structure(int(record[1])) if record else "int" if name == "int32" else name
