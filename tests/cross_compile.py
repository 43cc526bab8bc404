"""Compiles hdsim's C code for other machines: `python tests/cross_compile.py`, or with the names of some targets.

Needs `ziglang` from PyPI, which has the headers and C libraries of all of them. What Cython writes is compiled as setup.py
says, for each target, without optimisation: what is found is what a compiler, a header or a C library does not take, not how
fast or right the result is. Every warning is an error. For Linux and macOS the modules are linked, too, and nothing but
Python may be missing.
"""
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGETS = [f"{machine}-{system}" for system in ("linux-gnu.2.17", "linux-musl", "windows-gnu", "macos")
           for machine in ("x86_64", "aarch64")]

# They come after setup.py's, and the last -O wins. Cython writes functions that convert a struct, used or not.
FLAGS = ["-O0", "-fPIC", "-DNDEBUG", "-fno-sanitize=undefined", "-Wall", "-Werror", "-Wno-unused-command-line-argument",
         "-Wno-unused-function"]

# What a 64-bit Python says of these systems. The host's own file, which this one replaces, is true of the host only.
PYCONFIG = """\
#ifdef _WIN32
#define MS_WINDOWS 1
#define MS_WIN32 1
#define MS_WIN64 1
#define NT_THREADS 1
#define Py_NO_ENABLE_SHARED 1
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#else
#define HAVE_PTHREAD_H 1
#define HAVE_SYS_TIME_H 1
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#endif
#define ALIGNOF_MAX_ALIGN_T 16
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_PTHREAD_T 8
#define WITH_THREAD 1
"""

SETUP = """\
import json, setuptools
from distutils.core import run_setup
found = run_setup("setup.py", stop_after="init")
print(json.dumps([[e.name, e.sources, e.include_dirs, e.extra_compile_args] for e in found.ext_modules]))
"""


def extensions():
    """(name, C files, include folders, flags) of each module, as setup.py has them. Cython writes the C files."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HDSIM_")}
    said = subprocess.run([sys.executable, "-c", SETUP], cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return json.loads(said.stdout.splitlines()[-1])


def python_headers(folder):
    """Write to `folder` this Python's headers with a pyconfig.h for all targets, and stub.c, in whose object file every name
    of Python is defined: a linker then finds whatever else is missing."""
    names = set()
    host = Path(sysconfig.get_path("include"))
    for file in host.rglob("*.h"):
        text = file.read_text() if file.name != "pyconfig.h" else PYCONFIG
        names.update(re.findall(r"\b_?Py\w+", text))
        copy = folder / file.relative_to(host)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
    # The last two are of the compiler's own library, for __builtin_cpu_supports.
    names |= {"__cpu_model", "__cpu_indicator_init"}
    (folder / "stub.c").write_text(f"char {', '.join(sorted(names))};\n")


def zig(*arguments):
    """Run the compiler. RuntimeError with what it says where it fails."""
    cache = str(ROOT / "build" / "zig")
    done = subprocess.run([sys.executable, "-m", "ziglang", "cc", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True,
                          env=os.environ | {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache})
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")


def compile_for(target, modules, headers, out):
    """Compile and, where that is possible, link the modules for one target, below the folder `out`. Returns the files made."""
    out = out / target
    out.mkdir()
    for name, sources, folders, flags in modules:
        includes = [f"-I{folder}" for folder in (*folders, headers)]
        zig("-target", target, *flags, *FLAGS, *includes, "-c", *sources, "-o", out / f"{name}.o")
    if "windows" not in target:
        zig("-target", target, "-fvisibility=hidden", "-c", headers / "stub.c", "-o", out / "stub.o")
        for name, *_ in modules:
            # No library of the compiler: to build it takes minutes.
            strict = ["-Wl,-z,defs"] if "linux" in target else []       # macOS is strict by itself
            zig("-target", target, "-shared", *strict, "-nostdlib", out / f"{name}.o", out / "stub.o", "-lc", "-lm",
                "-o", out / f"{name}.so")
    return sorted(file for file in out.iterdir() if file.name.startswith("hdsim."))


def main(targets):
    modules = extensions()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        headers = Path(folder, "include")
        python_headers(headers)
        for target, files in zip(targets, pool.map(lambda target: compile_for(target, modules, headers, Path(folder)), targets)):
            print(target, *(file.name for file in files), flush=True)


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - set(TARGETS):
        sys.exit(f"no target: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    main(sys.argv[1:] or TARGETS)
