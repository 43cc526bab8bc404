"""Builds the extension modules hdsim._core, hdsim._core3 (the same text with three axes), hdsim._spaces and the small
hdsim._embedding; all else stands in pyproject.toml.

HDSIM_CFLAGS   compiler flags to add, for example "-march=native"
HDSIM_DEBUG=1  a checked build: an array index out of range is an IndexError, undefined behaviour of C ends the process
HDSIM_SIMPLE=1 an engine without the mechanisms that only make it faster, of the same results, bit for bit; or without some:
               "refinement,prefetch", of refinement, prefetch, delayed_insertion and listing_ahead (core/mechanisms.pxd)
HDSIM_ONLY     names of the modules to build, "_core": for benchmarks and experiments, which need no others
HDSIM_ABI3=1   one build for all versions of Python from 3.11 on (cp311-abi3), in which calls from Python cost somewhat more
"""
import os
import shlex
import sys
import sysconfig
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

debug = os.environ.get("HDSIM_DEBUG", "") not in ("", "0")
if os.name == "nt":
    flags = ["/Od" if debug else "/O2", "/fp:precise"]
else:
    flags = ["-ffp-contract=off"]       # a*b+c fused into one rounding would make results depend on the machine
    if debug:       # trapping needs no run-time library
        flags += ["-O1", "-g", "-UNDEBUG", "-DHDSIM_NO_FMA", "-fsanitize=undefined,float-cast-overflow",
                  "-fsanitize-undefined-trap-on-error"]
    else:           # vectorize: two numbers just written one by one are not to be read at once, which waits for the cache
        compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
        clang = sys.platform == "darwin" or "clang" in compiler
        # Small functions in the loop are not to be called, which each compiler is told in its own words.
        flags += ["-O3", "-g0", "-fno-math-errno", "-fno-trapping-math", "-fno-tree-slp-vectorize", "-fno-tree-vectorize",
                  *(["-mllvm", "-inline-threshold=1500"] if clang else ["--param=inline-unit-growth=60"])]
MECHANISMS = ["refinement", "prefetch", "delayed_insertion", "listing_ahead"]
simple = os.environ.get("HDSIM_SIMPLE", "")
left_out = {"": [], "0": [], "1": MECHANISMS}.get(simple, simple.split(","))
if not set(left_out) <= set(MECHANISMS):
    raise SystemExit(f"HDSIM_SIMPLE: expected 0, 1 or some of {','.join(MECHANISMS)}, found {simple!r}")
flags += shlex.split(os.environ.get("HDSIM_CFLAGS", ""))
MODULES = ["_core", "_core3", "_spaces", "_embedding"]
wanted = os.environ.get("HDSIM_ONLY", "")
modules = wanted.split(",") if wanted else MODULES
if not set(modules) <= set(MODULES):
    raise SystemExit(f"HDSIM_ONLY: expected some of {','.join(MODULES)}, found {wanted!r}")
abi3 = os.environ.get("HDSIM_ABI3", "") not in ("", "0")
if abi3 and (sys.version_info < (3, 11) or sysconfig.get_config_var("Py_GIL_DISABLED")):
    raise SystemExit("HDSIM_ABI3: expected Python 3.11 or later with a GIL, found " + sys.version.partition("(")[0].strip())
macros = [(f"HDSIM_{mechanism.upper()}", "0") for mechanism in left_out] + [("Py_LIMITED_API", "0x030B0000")] * abi3

setup(
    ext_modules=cythonize(
        # Not src/hdsim: the headers of a system, which include each other by name, would find hdsim's of the same name.
        [Extension(f"hdsim.{name}", [f"src/hdsim/{name}.pyx"], include_dirs=["src"],
                   depends=sorted(glob("src/hdsim/**/*.h", recursive=True)), extra_compile_args=flags,
                   py_limited_api=abi3, define_macros=macros + [("HDSIM_AXES", "3")] * (name == "_core3"))
         for name in modules],
        include_path=["src"],
        nthreads=len(modules) if sys.platform.startswith("linux") else 0,     # elsewhere new processes would run this file again
        build_dir="build/cython" + "-debug" * debug,        # mechanisms are macros of C: Cython's text has all of them
        # Not in the first lines of the files, where the other directives stand: those would win.
        # Lines of the source as comments would be half of what compilers read, which takes them a second for each megabyte.
        compiler_directives={"boundscheck": debug, "initializedcheck": debug, "emit_code_comments": False},
    ),
    # Compile always: an object file does not tell which flags it was made with. And all modules at once, however few processors
    # there are: in turn, the longest ones would leave one of two processors idle at the end.
    options={"build_ext": {"force": True, "parallel": len(modules)},
             **({"bdist_wheel": {"py_limited_api": "cp311"}} if abi3 else {})},
)
