"""Probes: modules in Cython through which tests call what no user sees, compiled as setup.py compiles the engine."""
import hashlib
import importlib.util
import json
import os
import platform
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from unittest import mock

import hdsim

SETUP = """
import json, sys
from Cython.Build import cythonize
from setuptools import Extension, setup
name, all_axes, flags, directives, include = json.loads(sys.argv[1])
[module] = cythonize([Extension(name, [name + ".pyx"], include_dirs=[include], extra_compile_args=flags)],
                     include_path=[include], compiler_directives=directives)
for axes in all_axes:       # Cython has written the same text for all
    module.define_macros = [("HDSIM_AXES", str(axes))]
    setup(name=name, ext_modules=[module],
          script_args=["-q", "build_ext", "--build-lib", f"axes{axes}", "--build-temp", f"{name}{axes}"])
"""


def heard_of_setup(root, missing):
    """(extensions, what setup() is called with) of setup.py, which compiles nothing here. What cythonize() is told stands under
    "cythonize"."""
    if importlib.util.find_spec("Cython") is None:
        missing("Cython is not installed")
    heard = {}
    with (mock.patch("Cython.Build.cythonize", lambda extensions, **options: [*extensions, options]),
          mock.patch("setuptools.setup", heard.update)):
        runpy.run_path(str(root / "setup.py"))
    *extensions, heard["cythonize"] = heard["ext_modules"]
    return extensions, heard


def settings(root, missing):
    """(compiler flags, directives of Cython) with which setup.py builds the engine, but without optimisation: that takes half the
    time and gives the same bits, because no level of optimisation rounds otherwise, given the other flags."""
    extensions, heard = heard_of_setup(root, missing)
    options = heard["cythonize"]
    return [*(flag for flag in extensions[0].extra_compile_args if flag != "-g"), "-O0"], options["compiler_directives"]


def build(root, missing, texts):
    """The folder of the modules, with one folder for each number of axes: texts is {path of NAME.pyx: numbers of axes}.

    It lies below build/ of the tree that has hdsim and is kept until the texts, the floors, the compiler or its flags change. All
    texts are compiled at the same time. What they include, NAME*.pxi, lies beside them."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if os.name == "posix" and shutil.which(compiler[0]) is None:
        missing("there is no C compiler")
    flags, directives = settings(root, missing)
    import Cython

    include = hdsim.get_include()
    sources = [file for text in texts for file in (text, *sorted(text.parent.glob(f"{text.stem}*.pxi")))]
    headers = sorted(Path(include, "hdsim").rglob("*.pxd")) + sorted(Path(include, "hdsim").rglob("*.h"))
    digest = hashlib.sha256(repr((SETUP, flags, directives, include, compiler, Cython.__version__, platform.python_version(),
                                  sorted(texts.values()))).encode())
    for file in (*sources, *headers):
        digest.update(file.read_bytes())
    tree = Path(include).parent if Path(include).name == "src" else root        # a mutant has a tree of its own
    kept = tree / "build" / "probes" / next(iter(texts)).stem / digest.hexdigest()[:16]
    if not kept.exists():
        for old in kept.parent.glob("[0-9a-f]*"):
            shutil.rmtree(old, ignore_errors=True)
        folder = kept.with_name(f"of {os.getpid()}")
        folder.mkdir(parents=True)
        for file in sources:
            shutil.copy(file, folder)
        asked = [json.dumps([text.stem, axes, flags, directives, include]) for text, axes in texts.items()]
        running = [subprocess.Popen([sys.executable, "-c", SETUP, text], cwd=folder, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True) for text in asked]
        said = [process.communicate(timeout=300)[0] for process in running]
        assert [process.returncode for process in running] == [0] * len(running), "".join(said)
        with suppress(OSError):         # another process was faster
            folder.rename(kept)
        shutil.rmtree(folder, ignore_errors=True)
    return kept


def loaded(folder, name, axes):
    """The module of this name, compiled for so many axes."""
    path = folder / f"axes{axes}" / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
