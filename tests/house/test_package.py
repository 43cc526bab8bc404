"""What users install: all packages, data and types are in it, and the checked build checks."""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata, resources

import numpy as np
import probes
import pytest

import hdsim
from hdsim import _core
from hdsim.system.engines import core_of
from hdsim._moved import MOVED


@pytest.fixture
def distribution(missing):
    try:
        return metadata.distribution("hdsim")
    except metadata.PackageNotFoundError:
        missing("hdsim is not installed, only found on the path")


def test_the_version_is_the_one_of_the_package(distribution):
    """pip and hdsim.__version__ say the same."""
    assert distribution.version == hdsim.__version__


def test_the_console_script_is_the_command_line(distribution):
    """`hdsim` does what `python -m hdsim` does."""
    from hdsim.app import cli

    (script,) = distribution.entry_points.select(group="console_scripts", name="hdsim")
    assert script.load() is cli.main


def test_run_time_needs_numpy_and_pyglet_only(distribution):
    """Everything else is an extra."""
    needed = {re.match(r"[\w-]+", line)[0] for line in distribution.requires if "extra ==" not in line}
    assert needed == {"numpy", "pyglet"}


def test_data_sets_are_in_the_package(distribution, root):
    """hdsim.data holds every file of data/, byte for byte."""
    shipped, real = ({file.name: file.read_bytes() for file in folder.iterdir() if file.name.endswith(".txt")}
                     for folder in (resources.files("hdsim.data"), root / "data"))
    assert shipped == real and "billiards5.txt" in shipped


@pytest.mark.parametrize("name", ["py.typed", "_core.pyi", "core/pair.pxd", "core/cluster_text.pxi", "core/__init__.pxd",
                                  "__init__.pxd", "hdsim.h", "browser/screen.js", "browser/page.html", "viewer/draw/discs.js",
                                  "viewer/draw/spheres.js", "viewer/draw/sphere.glsl"])
def test_types_and_declarations_are_in_the_package(name):
    """mypy and Cython users find what they need."""
    assert (resources.files("hdsim") / name).is_file()


def test_every_package_is_declared(root):
    """pyproject.toml lists the packages by name; an editable installation would not miss one."""
    listed = re.search(r"^packages = \[([^]]*)\]", (root / "pyproject.toml").read_text(), re.M)[1]
    folders = {".".join(file.parent.relative_to(root / "src").parts) for file in (root / "src").rglob("__init__.py")}
    assert set(re.findall(r'"([\w.]+)"', listed)) == folders | {"hdsim.data"}


@pytest.mark.skipif(os.environ.get("HDSIM_DEBUG", "") in ("", "0"), reason="not the checked build (HDSIM_DEBUG=1)")
@pytest.mark.parametrize("axes", [2, 3])
def test_the_checked_build_checks_bounds(axes):
    """An array that is too small for the engine's discs is an IndexError, and nothing behind it is written."""
    memory = np.full((3, axes), 7.0)
    engine = core_of(axes).Engine(3, (1.0,) * axes, (False,) * axes, True, False, True, True, False, (1,) * axes, 1)
    engine.load(np.array([[x, *[0.5] * (axes - 1)] for x in (0.2, 0.5, 0.8)]), np.zeros((3, axes)), np.full(3, 0.1), np.ones(3))
    for read in (engine.positions_at, engine.unwrapped_positions, engine.velocities):
        with pytest.raises(IndexError):
            read(memory[:1])
    assert (memory[1:] == 7.0).all()
    engine.positions_at(memory)             # the engine is free again
    assert memory[:, 0].tolist() == [0.2, 0.5, 0.8]


def test_a_build_says_which_mechanisms_it_has():
    """It is simple if it has none; each stands in setup.py, so that it can be left out."""
    mechanisms = {name: there for name, there in _core.build_info.items() if name != "simple"}
    assert list(mechanisms) == ["refinement", "prefetch", "delayed_insertion", "listing_ahead"]
    assert _core.build_info["simple"] is not any(mechanisms.values()) and set(map(type, mechanisms.values())) == {bool}


@pytest.mark.parametrize("name, value, known", [
    ("HDSIM_SIMPLE", "prefetching", "0, 1 or some of refinement,prefetch,delayed_insertion,listing_ahead"),
    ("HDSIM_SIMPLE", "refinement, prefetch", "0, 1 or some of refinement,prefetch,delayed_insertion,listing_ahead"),
    ("HDSIM_SIMPLE", "2", "0, 1 or some of refinement,prefetch,delayed_insertion,listing_ahead"),
    ("HDSIM_ONLY", "_core2", "some of _core,_core3,_spaces,_embedding")])
def test_what_is_left_out_has_a_name(root, missing, monkeypatch, name, value, known):
    """A typing error is no reason to build the full engine."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as caught:
        probes.heard_of_setup(root, missing)
    assert str(caught.value) == f"{name}: expected {known}, found {value!r}"


def test_some_modules_can_be_built_alone(root, missing, monkeypatch):
    """And those that are built are compiled at the same time, however few processors there are."""
    names = ["hdsim._core", "hdsim._core3", "hdsim._spaces", "hdsim._embedding"]
    for only, found in ("", names), ("_core", names[:1]), ("_core3,_spaces", names[1:3]):
        monkeypatch.setenv("HDSIM_ONLY", only)
        extensions, heard = probes.heard_of_setup(root, missing)
        assert [extension.name for extension in extensions] == found
        assert heard["options"]["build_ext"]["parallel"] == len(found)


@pytest.mark.parametrize("asked, macro, options", [
    ("1", [("Py_LIMITED_API", "0x030B0000")], {"py_limited_api": "cp311"}), ("0", [], None)])
def test_one_build_serves_all_versions_of_python(root, missing, monkeypatch, asked, macro, options):
    """HDSIM_ABI3=1: the modules keep to the limited API of Python 3.11, and the wheel's name says so."""
    monkeypatch.setenv("HDSIM_ABI3", asked)
    extensions, heard = probes.heard_of_setup(root, missing)
    for extension in extensions:
        assert [pair for pair in extension.define_macros if pair[0] == "Py_LIMITED_API"] == macro
        assert extension.py_limited_api == (asked == "1")
    assert heard["options"].get("bdist_wheel") == options


@pytest.mark.parametrize("platform, compiler, told", [
    ("linux", "ccache gcc", ["--param=inline-unit-growth=60"]), ("linux", "ccache clang", ["-mllvm", "-inline-threshold=1500"]),
    ("darwin", "cc", ["-mllvm", "-inline-threshold=1500"])])
def test_each_compiler_is_told_in_its_words_to_call_no_small_functions(root, missing, monkeypatch, platform, compiler, told):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("CC", compiler)
    monkeypatch.delenv("HDSIM_DEBUG", raising=False)
    monkeypatch.delenv("HDSIM_CFLAGS", raising=False)
    for extension in probes.heard_of_setup(root, missing)[0]:
        assert extension.extra_compile_args[-len(told):] == told


def test_a_build_for_all_versions_needs_python_3_11(root, missing, monkeypatch):
    monkeypatch.setenv("HDSIM_ABI3", "1")
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    with pytest.raises(SystemExit, match=r"HDSIM_ABI3: expected Python 3\.11 or later with a GIL, found 3\."):
        probes.heard_of_setup(root, missing)


def test_other_packages_compile_against_the_formulas(tmp_path, elsewhere):
    """`hdsim.get_include()` is all that Cython needs to inline the formulas and the queue into another project."""
    pytest.importorskip("Cython")
    (tmp_path / "stranger.pyx").write_text("""\
# cython: language_level=3, cdivision=True
from hdsim.core.pair cimport time_to_disc
from hdsim.core.queue cimport Queue, queue_create, queue_free, queue_insert, queue_top


def head_on(double gap):
    return time_to_disc(gap + 0.25, 0.0, -1.0, 0.0, 0.25)


def first_of(times):
    cdef Queue q
    queue_create(&q, len(times))
    for i, time in enumerate(times):
        queue_insert(&q, i, time, i)
    i = queue_top(&q)
    queue_free(&q)
    return i
""")
    (tmp_path / "setup.py").write_text("""\
import hdsim
from Cython.Build import cythonize
from setuptools import Extension, setup
setup(name="stranger", py_modules=[],
      ext_modules=cythonize([Extension("stranger", ["stranger.pyx"])], include_path=[hdsim.get_include()]))
""")
    elsewhere("setup.py", "-q", "build_ext", "--inplace", CFLAGS="-O0 -g0")
    assert elsewhere("-c", "import stranger; print(stranger.head_on(.5), stranger.first_of([3., 1., 2.]))").split() == [
        "0.5", "1"]


@pytest.mark.slow
def test_the_source_archive_makes_a_wheel_without_network(root, tmp_path):
    """With setuptools and Cython, which pyproject.toml declares, and nothing else; nothing that a user needs is left out."""
    tree = shutil.copytree(root, tmp_path / "tree",
                           ignore=shutil.ignore_patterns("build", ".git", ".*_cache", "*.so", "*.pyd", "*.egg-info"))
    hook = "import setuptools.build_meta as backend; print(backend.build_sdist('..'))"
    subprocess.run([sys.executable, "-c", hook], cwd=tree, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        kept = {name.partition("/")[2] for name in files.getnames()}
    headers = {f"src/hdsim/{file.name}" for file in (root / "src" / "hdsim").glob("*.h")}
    assert kept >= headers | {"README.md", "mkdocs.yml", "docs/index.md", ".ci/run", "tests/conftest.py", "data/billiards5.txt"}
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-deps", "--no-build-isolation", "-w", tmp_path,
                    archive], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    package = root / "src" / "hdsim"
    wanted = {f"hdsim/{file.relative_to(package).as_posix()}"
              for pattern in ("*.py", "*.pyi", "*.pxd", "core/*.pxi", "*.h", "*.html", "py.typed")
              for file in package.rglob(pattern)} | {f"hdsim/data/{file.name}" for file in (root / "data").glob("*.txt")}
    held = zipfile.ZipFile(wheel).namelist()
    assert wanted - set(held) == set()
    assert {name for name in held if name.endswith((".pyx", ".pxi"))} == {"hdsim/core/cluster_text.pxi"}
    modules = {name.split(".")[0] for name in held if name.endswith((".so", ".pyd"))}
    assert modules == {"hdsim/_core", "hdsim/_core3", "hdsim/_embedding", "hdsim/_spaces"}


def test_every_module_that_the_pages_name_is_there_after_import_hdsim(root, elsewhere):
    """`hdsim.textbook` and the like, without another import; loaded when first used, and not before."""
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    names = set(re.findall(r"\bhdsim\.([a-z]\w*)(?![\w/])", "\n".join(page.read_text(encoding="utf-8") for page in pages)))
    modules = sorted(name for name in names
                     if f"hdsim.{name}" in MOVED or hdsim.LATER.get(name) == "")
    assert {"textbook", "timestep", "lab", "native", "viewer", "kinetic"} <= {*modules}
    program = ("import sys, hdsim\n"
               "assert not {'hdsim.reference', 'hdsim.lab', 'hdsim.viewer', 'hdsim.checker'} & set(sys.modules)\n"
               f"for name in {modules}:\n    assert getattr(hdsim, name) is sys.modules['hdsim.' + name], name\n"
               "    assert name in dir(hdsim)\n")
    elsewhere("-c", program)


FOREIGN = {"hdsim.h", "hdsim.X", "hdsim.data"}     # a header, any name, and the folder of an installed package


def test_every_name_that_the_pages_say_is_there_after_import_hdsim(root, elsewhere):
    """Each `hdsim.X` of the pages, as far as its words go, after `import hdsim` alone: in a process in which nothing else has
    been imported but other names below the same X. Modules of Cython are imported first, as their pages say, and so is what a
    page of the reference is made of ("::: hdsim.lab._eos.eos"), which is an address of a file and nothing to type; so is what a
    page imports from."""
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    addresses = set(re.findall(r"^::: (\S+)", text, re.M))
    text = re.sub(r"^(?:::: |from hdsim).*", "", text, flags=re.M)      # an import needs no name to be there
    names = set(re.findall(r"(?<![\w./-])hdsim(?:\.[A-Za-z_]\w*)+", text)) - FOREIGN
    names = {name for name in names if not name.startswith(("hdsim._physics", "hdsim._queue", "hdsim._embedding", "hdsim._core"))}
    assert {"hdsim.spaces", "hdsim.roles.TwoEngines", "hdsim.load", "hdsim.gates"} < names and len(names) > 90
    assert {"hdsim.spaces.Gas", "hdsim.model.roles"} < addresses
    groups = {}
    for name in sorted(names, key=lambda name: name.count(".")):        # hdsim.X before what is below it
        groups.setdefault(name.split(".")[1], []).append((name, True))
    groups["::: "] = [(name, False) for name in sorted(addresses)]
    program = ("import os, pkgutil, hdsim\n"
               "def there(name, typed):\n"
               "    if not typed:\n"
               "        return pkgutil.resolve_name(name)\n"
               "    found = hdsim\n"
               "    for word in name.split('.')[1:]:\n"
               "        found = getattr(found, word)\n"
               f"for group in {list(groups.values())}:\n"
               "    if os.fork() == 0:\n"
               "        for name, typed in group:\n"
               "            try:\n"
               "                there(name, typed)\n"
               "            except Exception as error:\n"
               "                print(f'{name}: {error}', flush=True)\n"
               "        os._exit(0)\n"
               "    os.wait()\n")
    if not hasattr(os, "fork"):
        pytest.skip("needs a process for each group of names, by fork")
    assert elsewhere("-c", program) == ""


def test_commands_that_add_to_an_installed_hdsim_name_extras_that_there_are(root, distribution):
    """On pages and in messages; hdsim is in no package index, and no page installs it from one."""
    texts = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "src" / "hdsim").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"pip install '?hdsim([^`\n]*)", text.read_text(encoding="utf-8"))}
    extras = set(distribution.metadata.get_all("Provides-Extra"))
    found = {re.match(r"\[(\w+)\]'", name) for name in named}
    assert None not in found and {match[1] for match in found} <= extras and "hdsim itself is in no package index" in (
        root / "README.md").read_text(encoding="utf-8")
