"""What tests of callbacks in machine code and of embedding build once."""
import ctypes
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig

import pytest
from scenes import environment

import hdsim

# A library of functions for events. `data` of `record` is a buffer, of the others a number of 64 bits.
LIBRARY = r"""
#include <Python.h>
#include "hdsim/hdsim.h"

int count(const hdsim_event *event, void *data) { (void)event; ++*(int64_t *)data; return 0; }
static int64_t counted;
int count_here(const hdsim_event *event, void *data) { (void)event; counted++; return data != NULL; }
int64_t counted_here(void) { int64_t was = counted; counted = 0; return was; }
int countdown(const hdsim_event *event, void *data) { (void)event; return --*(int64_t *)data <= 0; }

typedef struct { int64_t contacts, events; char *at; hdsim_contact *contact; } records;
int record(const hdsim_event *event, void *data) {
    records *r = (records *)data;
    memcpy(r->at + r->events++ * sizeof(hdsim_event), event, sizeof(hdsim_event));
    memcpy(r->contact + r->contacts, event->contacts, event->contact_count * sizeof(hdsim_contact));
    r->contacts += event->contact_count;
    return 0;
}

typedef struct { int64_t contacts, events; char *at; hdsim_contact_in *contact; } records_in;
int record_in(const hdsim_event_in *event, void *data) {
    records_in *r = (records_in *)data;
    memcpy(r->at + r->events++ * sizeof(hdsim_event_in), event, sizeof(hdsim_event_in));
    memcpy(r->contact + r->contacts, event->contacts, event->contact_count * sizeof(hdsim_contact_in));
    r->contacts += event->contact_count;
    return 0;
}
int count_in(const hdsim_event_in *event, void *data) { *(int64_t *)data += event->contact_count; return 0; }
int countdown_in(const hdsim_event_in *event, void *data) { (void)event; return --*(int64_t *)data <= 0; }

/* Waits for another thread, which needs the GIL to tell. */
int wait_for(const hdsim_event *event, void *data) {
    volatile int64_t *flag = (volatile int64_t *)data;
    (void)event;
    flag[0] = 1;
    while (!flag[1]) {}
    return 1;
}

static int unwanted(int32_t i) {
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_Format(PyExc_LookupError, "disc %d is not wanted", (int)i);
    PyGILState_Release(state);
    return -1;
}
int raise(const hdsim_event *event, void *data) { (void)data; return unwanted(event->contact.i); }
int raise_in(const hdsim_event_in *event, void *data) { (void)data; return unwanted(event->contact.i); }
"""
FORGETFUL = """\
# cython: language_level=3, freethreading_compatible=True
from hdsim cimport System, system_load


def run():
    cdef System* system = system_load("billiards5")
"""


@pytest.fixture(scope="session")
def compiler(missing):
    """compiler(source, target, *options): the C compiler, which finds hdsim.h and Python.h; warnings are errors."""
    command = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(command[0]) is None or os.name != "posix":
        missing("there is no C compiler")
    include = [f"-I{folder}" for folder in (hdsim.get_include(), sysconfig.get_path("include"))]

    def run(source, target, *options):
        done = subprocess.run([*command, "-Wall", "-Wextra", "-Werror", "-O2", *include, "-o", target, source, *options],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return target
    return run


@pytest.fixture(scope="session")
def library(compiler, tmp_path_factory):
    """The functions of LIBRARY as ctypes sees them."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "library.c").write_text(LIBRARY)
    found = ctypes.CDLL(str(compiler(folder / "library.c", folder / "library.so", "-shared", "-fPIC")))
    for name in ("count", "count_here", "countdown", "record", "wait_for", "raise", "record_in", "count_in", "countdown_in",
                 "raise_in"):
        getattr(found, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    found.counted_here.restype = ctypes.c_int64
    found.counted_here()
    return found


@pytest.fixture(scope="session")
def built(root, missing, tmp_path_factory):
    """The folder of the example package `stranger`, built in place, with a module that does not call import_hdsim()."""
    if importlib.util.find_spec("Cython") is None:
        missing("Cython is not installed")
    folder = tmp_path_factory.mktemp("strangers") / "stranger"
    shutil.copytree(root / "tests" / "stranger", folder)
    (folder / "forgetful.pyx").write_text(FORGETFUL)
    setup = (folder / "setup.py").read_text()
    once = 'Extension("stranger", ["stranger.pyx"], include_dirs=[folder])'
    assert setup.count(once) == 1
    (folder / "setup.py").write_text(setup.replace(once, f"{once}, {once.replace('stranger', 'forgetful')}"))
    done = subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder,
                          env=environment() | {"CFLAGS": "-O0 -g0"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower()
    return folder


@pytest.fixture(scope="session")
def table():
    """(ffi, api): the table of hdsim.h as cffi finds it."""
    cffi = pytest.importorskip("cffi")
    import hdsim._embedding

    header = os.path.join(hdsim.get_include(), "hdsim", "hdsim.h")
    with open(header) as file:
        text = file.read()
    ffi = cffi.FFI()
    ffi.cdef(text.split("/* -- declarations")[1].partition("*/")[2].split("/* -- end of declarations")[0])
    address = hdsim._core.capsule_parts(hdsim._embedding._C_API)[1]
    return ffi, ffi.cast("const hdsim_api *", address)
