"""The house stands as docs/architecture.md and docs/engine.md draw it: which module imports which, how compiled code is written,
what an import costs, how long files are."""
import ast
import functools
import graphlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from compiled import blocks_of, defined_by, imports_of, lengths_of, names_in, without_text

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "hdsim"
DRAWING = (ROOT / "docs" / "architecture.md").read_text()       # floors, packages, folders of the viewer
ENGINE = (ROOT / "docs" / "engine.md").read_text()      # rooms
FLOORS = {name: int(floor) for name, floor in re.findall(r"^  ((?:core/)?\w+)[./]\S* +(\d)  ", DRAWING, re.M)}
FLOOR_FILES = sorted(PACKAGE.glob("core/*.px?"))
COMPILED = sorted([*PACKAGE.glob("*.pyx"), *PACKAGE.glob("*.pxd"), *FLOOR_FILES])
ENGINES = {"_core": "engine", "_core3": "engine", "_spaces": "spaces"}   # and the folders of their rooms: text that they include
# A room of _core3: what stands in its place in _core. All other rooms are those of _core.
INSTEAD = {"open": {"obstacles", "movers", "sides", "gates"}, "bindings/shared": {"bindings/native"}}
ROOMS = sorted(room for folder in set(ENGINES.values()) for room in PACKAGE.glob(f"{folder}/**/*.pxi"))
PYTHON = sorted(PACKAGE.rglob("*.py"))
# Private names of other programs, which document them or offer nothing else.
FOREIGN = {"_replace", "_make", "_exit", "_CFuncPtr", "_CDataBase", "_flags_", "_sig", "_handle_msg"}

# boundscheck and initializedcheck are missing on purpose: setup.py sets them, and a first line would win.
DIRECTIVES = "# cython: language_level=3, wraparound=False, cdivision=True"


def module_of(file):
    """The name on the plan: a module, a floor of core/, or a package as a whole."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return "/".join(parts) if parts[0] == "core" and parts[-1] != "__init__" else parts[0]


@functools.cache
def tree_of(file):
    """A Python file, parsed."""
    return ast.parse(file.read_text())


@functools.cache
def nodes_of(file):
    return list(ast.walk(tree_of(file)))


def python_imports(file):
    """The full names of all modules and names that a Python file imports, also inside functions and for types."""
    package = ["hdsim", *file.relative_to(PACKAGE).parts[:-1]]
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = package[:len(package) + 1 - node.level] if node.level else []
            origin = ".".join([*origin, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def dotted(file):
    """The full name of a module of the package."""
    return ".".join(["hdsim", *file.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


MODULES = {dotted(file) for file in PYTHON}


def files_imported(file):
    """The Python files of hdsim that a Python file names in its imports, by full name: `from package import name` is the module
    of this name, if there is one. The packages in which they stand are not named, and do not count."""
    for name in python_imports(file):
        origin, _, last = name.rpartition(".")
        found = name if name in MODULES else origin
        compiled = origin == "hdsim" and last in FLOORS and name not in MODULES
        if found in MODULES and found != dotted(file) and not compiled:
            yield found


def code_of(file):
    """A compiled file's text without strings and comments."""
    return re.sub(r'"""(?s:.*?)"""|"[^"\n]*"|\'[^\'\n]*\'|#.*', "", file.read_text())


def compiled_imports(file):
    return re.findall(r"^ *(?:from|cimport|import) +([\w.]+)", code_of(file), re.M)


def imports_within(file):
    """The modules of hdsim that a file imports, by their names on the plan."""
    names = python_imports(file) if file.suffix == ".py" else compiled_imports(file)
    names = [name.replace(".core.", ".core/") for name in names]
    parts = [[*name.split("."), ""] for name in names]
    return {module if module in FLOORS else "__init__" for package, module, *_ in parts if package == "hdsim"}


@functools.cache
def plan():
    graph = {}
    for file in [*PYTHON, *COMPILED, *ROOMS]:
        if file == PACKAGE / "core" / "__init__.pxd":
            continue
        graph.setdefault(module_of(file), set()).update(imports_within(file) - {module_of(file)})
    return graph


def each(files):
    """One test of all these files, which names those that fail: a thousand tests would take ten times as long."""
    def decorated(check):
        def test():
            wrong = {}
            for file in files:
                try:
                    check(file)
                except AssertionError as error:
                    wrong[file.relative_to(ROOT).as_posix()] = str(error)
            assert len(files) > 20 and wrong == {}
        test.__doc__ = check.__doc__
        return test
    return decorated


def test_every_module_has_a_floor():
    """A new module is entered in docs/architecture.md; one that is gone is taken out."""
    assert set(plan()) == set(FLOORS)


@pytest.mark.parametrize("page, most", [("architecture", 130), ("performance", 150)])
def test_pages_for_developers_are_short(page, most):
    """They are read as a whole: what grows beyond gets a page of its own, or goes."""
    assert len((ROOT / "docs" / f"{page}.md").read_text().splitlines()) <= most


@pytest.mark.parametrize("page", ["architecture", "engine"])
def test_files_that_the_pages_name_are_there(page):
    """Paths below src/hdsim, with or without a pattern; a folder ends in a slash."""
    text = (ROOT / "docs" / f"{page}.md").read_text()
    named = re.findall(r"`((?:%s)/[\w/.*]*)`" % "|".join(folder.name for folder in PACKAGE.iterdir() if folder.is_dir()), text)
    assert len(named) > 10 and [path for path in named if not any(PACKAGE.glob(path))] == []


def test_imports_never_go_upwards():
    """No module imports from a floor above its own, not even inside a function."""
    upwards = [(name, target) for name, targets in plan().items() for target in targets if FLOORS[target] > FLOORS[name]]
    assert upwards == []


def test_packages_and_modules_never_import_in_a_circle():
    """Modules of one floor may know each other, in one direction; a package counts as a whole."""
    list(graphlib.TopologicalSorter(plan()).static_order())


def test_files_never_import_in_a_circle():
    """Nor inside a package; imports for types, and inside functions, count."""
    graph = {dotted(file): set(files_imported(file)) for file in PYTHON}
    assert len(graph) > 150 and sum(map(len, graph.values())) > 600
    list(graphlib.TopologicalSorter(graph).static_order())


def test_the_first_line_of_a_file_says_what_it_is_for():
    """One sentence, or the beginning of one: the table has packages, not files."""
    for file in PYTHON:
        first = (ast.get_docstring(tree_of(file)) or "").partition("\n")[0]
        assert len(first) > 15, file


def test_every_package_says_what_it_shows():
    """`__all__` stands in each, and has public names only."""
    for file in [PACKAGE / "__init__.py", *PACKAGE.glob("*/__init__.py")]:
        shown = [node.value for node in tree_of(file).body if isinstance(node, ast.Assign)
                 and ast.unparse(node.targets[0]) == "__all__"]
        assert len(shown) == 1, file
        assert not any(name.startswith("_") for name in ast.literal_eval(shown[0]))


def private(name):
    """Begins with one underscore: for the package that it stands in."""
    return name.startswith("_") and not name.endswith("__")


def test_no_package_imports_private_names_of_another():
    """Compiled modules aside, whose names all begin so."""
    wrong = [(dotted(file), name) for file in PYTHON for name in python_imports(file)
             if name.startswith("hdsim.") and name.split(".")[1] != module_of(file)
             and any(private(part) and part not in FLOORS for part in name.split("."))]
    assert wrong == []


def test_no_package_uses_private_attributes_of_another():
    """`other._name` is used only in a package that defines `_name`."""
    wrong = []
    for package in sorted({module_of(file) for file in PYTHON}):
        nodes = [node for file in PYTHON if module_of(file) == package for node in nodes_of(file)]
        own = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
        own |= {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
        used = {node.attr for node in nodes if isinstance(node, ast.Attribute) and private(node.attr)}
        wrong += [(package, name) for name in sorted(used - own - FOREIGN)]
    assert wrong == []


# inside the viewer: files, not only packages

VIEWER = [file for file in PYTHON if file.is_relative_to(PACKAGE / "viewer")]
VIEWER_FLOORS = {name: floor for floor, name in enumerate(re.findall(r"^    viewer/(\w+)/ ", DRAWING, re.M))}
LINES, COLUMNS, FUNCTION_LINES = 600, 130, 45       # at most, of a file, a line and a function


def viewer_floor(name):
    """Of a module of the viewer, by full name: its folder's; the package itself is the roof."""
    _, _, folder, *_ = [*name.split("."), ""]
    return VIEWER_FLOORS.get(folder, len(VIEWER_FLOORS))


def test_every_folder_of_the_viewer_has_a_floor():
    assert {file.parent.name for file in VIEWER} - {"viewer"} == set(VIEWER_FLOORS)


def test_imports_in_the_viewer_never_go_upwards():
    """No file imports from a folder above its own, nor from the package as a whole, not even for type checking."""
    upwards = [(dotted(file), target) for file in VIEWER for target in files_imported(file)
               if target == "hdsim" or target.startswith("hdsim.viewer") and viewer_floor(target) > viewer_floor(dotted(file))]
    assert upwards == []


@each([file for file in PYTHON if module_of(file) != "language"])
def test_files_are_short(file):
    """A file, its lines and its functions can be taken in at a glance."""
    text = file.read_text()
    functions = [node for node in nodes_of(file) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert len(text.splitlines()) <= LINES
    assert [line for line in text.splitlines() if len(line) > COLUMNS] == []
    assert [node.name for node in functions if node.end_lineno - node.lineno >= FUNCTION_LINES] == []


@each([*sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "benchmarks").glob("*.py"))])
def test_files_of_tests_and_benchmarks_are_short(file):
    """As short as those of the package. No name ends in a number: two files on one subject are named for their purposes."""
    lines = file.read_text().splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if len(line) > COLUMNS] == []
    assert not file.stem[-1].isdigit()


@each(VIEWER)
def test_the_viewer_sees_roles_and_no_engine(file):
    """What a system can do is determined by `roles.offers`, and nothing private of a system is read."""
    calls = [ast.unparse(node) for node in nodes_of(file) if isinstance(node, ast.Call)]
    private = {node.attr for node in nodes_of(file) if isinstance(node, ast.Attribute) and node.attr.startswith("_")
               and not node.attr.startswith("__") and ast.unparse(node.value).rpartition(".")[2] in
               ("system", "both", "exact", "time_driven", "engine", "playback")}
    assert [call for call in calls if re.match(r"hasattr|getattr\((self\.)?_?(system|both)\b", call)] == [] and private == set()


@each(PYTHON)
def test_shapes_of_obstacles_are_told_apart_in_one_place(file):
    """All but the modules that define them read `pieces_of` and the functions of `gates`: no other asks for a class of shape."""
    shapes = {alias.asname or alias.name for node in nodes_of(file) if isinstance(node, ast.ImportFrom)
              and (node.module or "").rpartition(".")[2] in ("obstacles", "gates") for alias in node.names}
    asked = [ast.unparse(node) for node in nodes_of(file) if isinstance(node, ast.Call) and len(node.args) == 2
             and ast.unparse(node.func) in ("isinstance", "issubclass")
             and shapes & {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}]
    assert asked == [] or file in (PACKAGE / "model" / "obstacles.py", PACKAGE / "model" / "gates.py")


def test_only_the_viewer_imports_pyglet():
    """All that is OpenGL stands in one place."""
    users = {module_of(file) for file in PYTHON if any(name.split(".")[0] == "pyglet" for name in python_imports(file))}
    assert users == {"viewer"}
    drawing = {file.stem for file in PYTHON
               if any(name.startswith(("pyglet.gl", "pyglet.graphics")) for name in python_imports(file))}
    assert drawing == {"opengl"}        # other versions of pyglet have it elsewhere


@each([file for file in COMPILED if file.suffix != ".pxi"])
def test_compiled_files_begin_with_the_same_directives(file):
    """A .pxd does not inherit directives from the file that cimports it, so each file begins with them."""
    assert file.read_text().splitlines()[0] == DIRECTIVES


def functions_of(code):
    """The headers of all cdef functions, each as one line."""
    headers = re.findall(r"^ *cdef (?!class\b)[^=\n:]*?\((?:[^()]|\([^()]*\))*\)[^:]*:", code, re.M)
    return [" ".join(header.split()) for header in headers]


@each([*COMPILED, *ROOMS])
def test_compiled_functions_sign_their_error_contract(file):
    """Each cdef function says that it cannot fail (noexcept) or how a failure shows (except ...); one that returns an object
    has no choice."""
    unsigned = [header for header in functions_of(code_of(file)) if not re.search(r"\) (noexcept|except\??) ?", header)
                and not re.match(r"cdef (inline )?object ", header)]
    assert unsigned == []


@each([*COMPILED, *ROOMS])
def test_no_remainders_in_compiled_code(file):
    """C's % is negative for negative numbers: coordinates and cells are wrapped by comparing."""
    assert "%" not in code_of(file)


def name_of(room):
    """What the list of an engine and `# uses:` call a room."""
    return room.relative_to(PACKAGE / room.relative_to(PACKAGE).parts[0]).with_suffix("").as_posix()


def included_by(engine):
    """The rooms of an engine, in their order."""
    return [PACKAGE / name for name in re.findall(r'^include "(.*)"$', (PACKAGE / f"{engine}.pyx").read_text(), re.M)]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(scope="module")
def rooms(engine):
    """{room: (names that it defines, {name: module} that it imports, names that it takes from elsewhere)}, in the order in
    which they are included; last the file of the engine itself."""
    found = {}
    for file in [*included_by(engine), PACKAGE / f"{engine}.pyx"]:
        blocks = blocks_of(file.read_text())
        imported = {name: module for block in blocks for name, module in imports_of(block).items()}
        code = [block for block in blocks if not imports_of(block)]
        defined = {name for block in code for name in defined_by(block)}
        name = name_of(file) if file.suffix == ".pxi" else engine
        found[name] = (defined, imported, set().union(*(names_in(block) for block in code)))
    return found


@each(FLOOR_FILES)
def test_floors_do_not_know_the_engine(file):
    """The struct of an engine belongs to the rooms: a floor sees what it is given."""
    assert not re.search(r"\bEngineC\b", code_of(file))


@pytest.fixture(scope="module")
def uses(rooms):
    """{room: the rooms that it takes names from}"""
    owner = {name: room for room, (defined, _, _) in rooms.items() for name in defined}
    return {room: {owner[name] for name in names if name in owner} - {room} for room, (_, _, names) in rooms.items()}


def test_the_drawing_has_all_rooms(engine):
    """docs/engine.md lists the rooms of each engine as their first lines do, in the order in which they are included; of _core3
    those that _core has not. The others have the same order in both."""
    assert {room for engine in ENGINES for room in included_by(engine)} == set(ROOMS)
    core, core3 = included_by("_core"), included_by("_core3")
    assert [room for room in core if room in core3] == [room for room in core3 if room in core]
    listed = [room for room in included_by(engine) if engine != "_core3" or room not in core]
    lists = [re.findall(r"^    ([\w/]+)\.pxi +(\S.*)$", block, re.M)
             for block in re.findall(r"^```\n(?s:.*?)^```", ENGINE, re.M)]
    drawn = [found for found in lists if found][[*ENGINES].index(engine)]
    assert drawn == [(name_of(room), room.read_text().partition("\n")[0].removeprefix("# ")) for room in listed]


def test_rooms_define_each_name_once(rooms):
    names = [name for defined, _, _ in rooms.values() for name in defined]
    assert sorted(names) == sorted(set(names))


def test_a_room_says_which_rooms_it_uses(engine, uses, rooms):
    """The comment after the purpose: `# uses:` and the rooms whose names stand in this one, in the order of inclusion."""
    for file in included_by(engine):
        said = re.match(r"# .*\n# uses: (.*(?:\n#       .*)*)\n", file.read_text())[1].replace("\n#      ", "").split(", ")
        used = [room for room in rooms if room in uses[name_of(file)]]
        if engine == "_core3":
            assert all(INSTEAD[room] & {*said} for room in used if room in INSTEAD)
            said = [room for room in said if room not in set().union(*INSTEAD.values())] or ["nothing"]
            used = [room for room in used if room not in INSTEAD]
        assert said == (used or ["nothing"]), file


def test_rooms_use_only_rooms_before_them(uses, rooms):
    order = list(rooms)
    upwards = [(room, other) for room, others in uses.items() for other in others if order.index(other) > order.index(room)]
    assert upwards == []


def test_rooms_import_what_they_name_and_no_more(rooms):
    """Included text would find the imports of other rooms as well: each has its own."""
    known = {name for _, imported, _ in rooms.values() for name in imported}
    assert {room: set(imported) ^ names & known for room, (_, imported, names) in rooms.items()} == dict.fromkeys(rooms, set())


# Struct of an engine: the room that assigns to it, besides state.pxi, which creates and copies; "": its floor.
WRITERS = {"_core": {
    "box": "", "boundary": "obstacles", "obstacles": "obstacles", "movers": "sides", "pistons": "pistons", "gates": "gates",
    "options": "", "law": "fall", "restitution": "restitution", "balance": "restitution", "heat": "thermal", "kernels": "",
    "clock": "", "observers": "", "end": "", "counters": "counting", "stall": "", "squeeze": "squeeze",
    "timers": "", "refinement": "refinement", "modes": "modes audit", "impact": "simultaneous",
    "affected": "planning", "prefetch": "prefetch", "callbacks": "callbacks", "roamers": "movers",
}, "_spaces": {
    "space": "_spaces", "walls": "_spaces", "impact": "contact", "still": "loop",
    "clock": "", "observers": "", "end": "", "counters": "counting", "stall": "", "timers": "",
    "restitution": "losses", "balance": "losses", "fall": "",
}}
STRUCTS = {"_core": ("e", "EngineC", {"n", "disc", "stored", "search", "cells", "lists", "queue"}),    # what else it has
           "_spaces": ("[eg]", "EngineC", {"n", "body", "stored", "seen", "beside", "stale", "cells", "queue"})}


@pytest.mark.parametrize("engine", WRITERS)
def test_each_struct_of_the_engine_has_one_writer(engine):
    """The room that assigns to each struct of an engine; `modes_check` of audit.pxi derives the modes anew and puts
    them back. Functions of a floor, which get the address of their own struct, are not seen."""
    found = dict.fromkeys(WRITERS[engine], "")
    for file in [*included_by(engine), PACKAGE / f"{engine}.pyx"]:
        pattern = (r"(?<!\w)%s\.(\w+)(?:\.\w+|\[[^]]*\])*(?: *[-+*|]?=(?!=)|(?=, [^()\n]* = |\) = ))" % STRUCTS[engine][0])
        for struct in set(re.findall(pattern, without_text(file.read_text()))) & set(WRITERS[engine]):
            if file.stem != "state":
                found[struct] += f" {name_of(file) if file.suffix == '.pxi' else engine}"
    assert {struct: set(writers.split()) for struct, writers in found.items()} == {
        struct: set(writers.split()) for struct, writers in WRITERS[engine].items()}


@pytest.mark.parametrize("engine", WRITERS)
def test_the_engine_is_made_of_structs(engine):
    """Every field of EngineC, of both engines, but the number of bodies, their arrays and the floors' structs is a struct with a
    room."""
    _, name, others = STRUCTS[engine]
    state = (PACKAGE / ENGINES[engine] / "state.pxi").read_text()
    (block,) = (block for block in blocks_of(state) if defined_by(block) == [name])
    assert set(re.findall(r"^    \w+\*? (\w+)", block, re.M)) == {*WRITERS[engine], *others}


@each([*COMPILED, *ROOMS])
def test_compiled_files_are_small(file):
    """As those in Python: none above 600 lines, no line above 130 columns."""
    lines = file.read_text().splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if len(line) > COLUMNS] == []


LONG_FUNCTIONS = {      # function: why it may be longer than others
    "advance": "the loop itself: its branches share local variables, and each calls the function of its case",
}


def test_compiled_functions_are_short():
    """Methods too. A function that is no longer long loses its entry in LONG_FUNCTIONS."""
    lengths = [item for file in [*COMPILED, *ROOMS] for item in lengths_of(file.read_text())]
    headers = [header for file in [*COMPILED, *ROOMS] for header in functions_of(code_of(file))]
    assert {re.search(r"(\w+)\(", header)[1] for header in headers} <= {name for name, _ in lengths}      # none is missed
    assert [name for name, lines in lengths if lines > FUNCTION_LINES] == [*LONG_FUNCTIONS]


@pytest.mark.tooling
@pytest.mark.parametrize("module", ["_core", "_core3", "_spaces", "_embedding"])
def test_the_compiler_has_nothing_to_say(module, root, tmp_path, missing):
    """Cython gives no warning and no performance hint, such as that an unsigned function takes the GIL at each call."""
    if importlib.util.find_spec("Cython") is None:
        missing("Cython is not installed")
    command = ["-m", "cython", "-X", "boundscheck=False", "-I", root / "src", "-o", tmp_path / "module.c",
               PACKAGE / f"{module}.pyx"]
    run = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_importing_hdsim_loads_nothing_that_is_not_needed(elsewhere):
    """import hdsim brings numpy, and no pyglet, matplotlib or scipy, nor what waits for a loop, a pool or a checkpoint; the
    help of the command line brings little more."""
    heavy = {"pyglet", "matplotlib", "scipy", "PIL", "tqdm", "asyncio", "concurrent.futures", "multiprocessing",
             "importlib.metadata"}
    unneeded = heavy | {"importlib.resources", "zipfile", "tempfile", "random", "subprocess", "argparse",
                        "hdsim.viewer", "hdsim.lab"}
    tell = "import json, sys, numpy; before = set(sys.modules); {}; print(json.dumps(list(set(sys.modules) - before)))"
    assert unneeded.isdisjoint(json.loads(elsewhere("-c", tell.format("import hdsim"))))
    help = elsewhere("-c", tell.format("import hdsim.app.cli; hdsim.app.cli.main(['-h'])"))
    assert heavy.isdisjoint(json.loads(help.splitlines()[-1]))


def test_importing_hdsim_is_quick(elsewhere):
    """import hdsim costs less than importing numpy before it: some 70 ms beside 120."""
    measure = ("import time; begin = time.process_time(); import numpy; middle = time.process_time(); import hdsim; "
               "print(middle - begin, time.process_time() - middle)")
    elsewhere("-c", measure)       # compiles the byte code, fills the disk cache
    # The machine may be busy: the quickest of a few.
    numpy, ours = (min(map(float, times)) for times in zip(*(elsewhere("-c", measure).split() for _ in range(5))))
    assert ours < numpy


def test_tests_stand_where_their_subject_does():
    """Each folder of the package has one of the same name below tests/, and tests/house is for what concerns them all."""
    sources = {file.relative_to(PACKAGE).parts[0] for pattern in ("*/*.py", "*/*.px[di]") for file in PACKAGE.glob(pattern)}
    tests = {file.relative_to(ROOT / "tests").parent.as_posix() for file in (ROOT / "tests").rglob("test_*.py")}
    assert tests == sources | {"house"}
