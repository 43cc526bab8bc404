"""Builds the one extension module, hdsim._core; everything else stands in pyproject.toml.

HDSIM_CFLAGS   extra compiler flags, appended (for example "-march=native")
HDSIM_DEBUG=1  a checked build: bounds and initialisation checks on, C assertions on, no optimisation
"""
import os
import shlex

from Cython.Build import cythonize
from setuptools import Extension, setup

debug = os.environ.get("HDSIM_DEBUG", "") not in ("", "0")
if os.name == "nt":
    flags = ["/Od" if debug else "/O2", "/fp:precise"]
else:
    # Contraction (a*b+c fused into one rounding) would make results depend on the machine.
    flags = ["-O1", "-g", "-UNDEBUG"] if debug else ["-O3", "-g0"]
    flags.append("-ffp-contract=off")
flags += shlex.split(os.environ.get("HDSIM_CFLAGS", ""))

setup(
    ext_modules=cythonize(
        [Extension("hdsim._core", ["src/hdsim/_core.pyx"], extra_compile_args=flags)],
        include_path=["src"],
        build_dir="build/cython-debug" if debug else "build/cython",
        force=debug,
    ),
)
