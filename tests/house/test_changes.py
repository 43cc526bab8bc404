"""The page "Where a change goes", docs/changes.md, and the section of that name in docs/architecture.md: each file and function
that they name is there."""
import ast
import re
from pathlib import Path

import pytest
from compiled import blocks_of, defined_by, lengths_of, without_text

ROOT = Path(__file__).resolve().parents[2]
SECTION = re.search(r"^## Where a change goes\n(.*?)(?=^## |\Z)", (ROOT / "docs" / "architecture.md").read_text(), re.M | re.S)[1]
PAGE = (ROOT / "docs" / "changes.md").read_text()
WORKED = (ROOT / "docs" / "example-restitution.md").read_text()
# A file, and behind it in parentheses names that it defines, among other words.
NAMED = re.compile(r"`([\w/.]+\.(?:pyx|pxd|pxi|h|py))`(?:\s+\(([^()]*)\))?")
CHANGES = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))


def python_names(text):
    """All functions, classes and assigned names of a Python file, those in a class also as Class.name."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = [*node.body]
            found |= {f"{node.name}.{part.name}" for part in inner if isinstance(part, ast.FunctionDef)}
            found |= {f"{node.name}.{part.target.id}" for part in inner if isinstance(part, ast.AnnAssign)}
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def compiled_names(text):
    """All functions, methods, types, constants and macros of a compiled file or header."""
    found = {name for block in blocks_of(text) for name in defined_by(block)}
    found |= {name for name, _ in lengths_of(text)}
    return found | set(re.findall(r"# *define (\w+)", text)) | set(re.findall(r"^\s+cdef class (\w+)", without_text(text), re.M))


def names_in_file(path):
    text = path.read_text()
    return python_names(text) if path.suffix == ".py" else compiled_names(text)


def file_of(name):
    """Paths are below src/hdsim; those of the build and of tests, below the root."""
    return next((root / name for root in (ROOT / "src" / "hdsim", ROOT) if (root / name).is_file()), None)


@pytest.mark.parametrize("change", ["Gravity", "A shape of obstacle", "A new observer", "Another dimension"])
def test_each_change_has_its_files_and_functions(change):
    """At least four files, and nearly all with the functions to be changed."""
    named = NAMED.findall(CHANGES[change])
    assert len(named) >= 4 and change.lower() in SECTION.lower()
    assert sum("`" in names for _, names in named) >= .8 * len(named)


def test_every_file_and_function_of_a_change_is_there():
    """A function that gets another name, or another file, has to get it on the page, too."""
    missing = []
    for name, names in NAMED.findall(SECTION + PAGE + WORKED):
        file = file_of(name)
        if file is None:
            missing.append(name)
            continue
        known = names_in_file(file)
        missing += [f"{name}: {wanted}" for wanted in re.findall(r"`([^`]+)`", names) if wanted not in known]
    assert len(NAMED.findall(PAGE)) > 80 and len(NAMED.findall(WORKED)) > 25 and missing == []


def test_names_are_found():
    """Of the kinds that the section has: a function, a method, a struct, an enum and one of its numbers, a macro, a constant."""
    text = ("cdef enum Form:\n    FACE = 0\n\n\ncdef struct S:\n    int size\n\n\n"
            "cdef inline int f(int a) noexcept nogil:\n    return a\n\n\ncdef class C:\n    def g(self):\n        pass\n")
    assert {"Form", "FACE", "S", "f", "C", "g"} <= compiled_names(text) and not {"a", "size"} & compiled_names(text)
    assert "FLOWN" in compiled_names("#define FLOWN(x) (x)\n")
    found = python_names("X = 1\nclass A:\n    b: int = 0\n    def c(self):\n        d = 1\n")
    assert {"X", "A", "A.b", "A.c", "c"} <= found and "e" not in found
