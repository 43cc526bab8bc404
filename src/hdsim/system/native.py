"""Functions in machine code that `on_collision` accepts as callbacks besides Python callables.

Their signature is `int f(const hdsim_event *event, void *data)`, see hdsim.h. They are recognised by their types without an
import of ctypes, cffi, numba or scipy: if such an object exists, its module has been imported already.
"""
from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np

from .._core import NativeCallback, capsule_parts
from ..model.numbers import shown

SIGNATURE = "int (const hdsim_event *, void *)"
STATE = np.dtype([(name, "f8") for name in ("x", "y", "vx", "vy", "radius", "mass")])
CONTACT = np.dtype([("i", "i4"), ("j", "i4"), ("impulse", "f8"), ("normal_x", "f8"), ("normal_y", "f8"), ("a", STATE),
                    ("b", STATE)])
# The struct hdsim_event as a dtype, for numba and ctypes. `contacts` is the address of an array of `contact_count` CONTACTs.
EVENT = np.dtype([("size", "i4"), ("kind", "i4"), ("contact_count", "i8"), ("time", "f8"), ("contacts", "u8"),
                  ("contact", CONTACT), ("obstacle", "i8")])
FITTING = ("int(hdsim_event*,void*)", "int(void*,void*)")
HOLDS_GIL = 4       # in the _flags_ of ctypes: FUNCFLAG_PYTHONAPI


def native_callback(callback: Any, kinds: int) -> NativeCallback | None:
    """The callback in the form that the engine calls for events of these kinds, or None if it is not a function in machine code.
    kinds: bits of `KINDS`. TypeError for a null pointer and for another signature."""
    found = _find(callback)
    if found is None:
        return None
    address, data = found
    if not address:
        raise TypeError("the callback is a null pointer")
    return NativeCallback(address, data, kinds, callback)


def _find(callback: Any) -> tuple[int, int] | None:
    """The address of the function and of its data, or None for an object that is not a function in machine code."""
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


def _check(signature: str, advice: str) -> None:
    bare = re.sub(r"\b(const|struct|noexcept|nogil)\b|\s", "", signature)
    if bare not in FITTING:
        raise TypeError(f"the callback has the signature {signature!r}; it must be {shown(SIGNATURE)}{advice}")


def _in_capsule(capsule: Any) -> tuple[int, int]:
    signature, address, context = capsule_parts(capsule)
    _check(signature, ", as the name of the PyCapsule")
    return address, context


def _in_ctypes(function: Any) -> tuple[int, int]:
    ctypes = sys.modules["ctypes"]
    arguments = [_ctypes_name(ctypes, a) for a in function.argtypes or ()]
    _check(f"{_ctypes_name(ctypes, function.restype)} ({', '.join(arguments)})",
           ": restype = ctypes.c_int, argtypes = [ctypes.c_void_p, ctypes.c_void_p]")
    if function._flags_ & HOLDS_GIL:
        raise TypeError("the callback expects the GIL (ctypes.PyDLL, PYFUNCTYPE), but is called without it; "
                        "use CDLL or CFUNCTYPE")
    return ctypes.cast(function, ctypes.c_void_p).value or 0, 0


def _ctypes_name(ctypes: Any, kind: Any) -> str:
    """The C name of a ctypes type. A pointer to any structure counts as a pointer to the event, because the caller may have named
    the structure differently."""
    if kind is ctypes.c_void_p:
        return "void *"
    target = getattr(kind, "_type_", None)
    if isinstance(target, type) and issubclass(target, ctypes.Structure):
        return "hdsim_event *"
    return {None: "void", ctypes.c_int: "int"}.get(kind, getattr(kind, "__name__", repr(kind)))


def _in_cffi(function: Any) -> tuple[int, int]:
    cffi = sys.modules["_cffi_backend"]
    _check(cffi.typeof(function).cname.replace("(*)", " "), "; ffi.addressof(lib, \"f\") is a pointer to a function of a library")
    return int(cffi.cast(cffi.new_primitive_type("uintptr_t"), function)), 0


def _in_numba(function: Any) -> tuple[int, int]:
    signature = function._sig
    names = [_numba_name(a) for a in signature.args]
    _check(f"{_numba_name(signature.return_type)} ({', '.join(names)})",
           ": int32(CPointer(...), voidptr), or int32(voidptr, voidptr)")
    return function.address, 0


def _numba_name(kind: Any) -> str:
    """The C name of a numba type. A pointer to any record counts as a pointer to the event."""
    name = str(kind)
    if name == "void*":
        return "void *"
    return "int" if name == "int32" else "hdsim_event *" if re.match(r"Record\(.*\)\*$", name) else name
