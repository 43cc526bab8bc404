"""The types: the stub says what the compiled module is, and the Python files agree with it and with each other."""
import importlib.util
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.tooling

COMPILED_IN = r"hdsim\._%s\..*__(reduce_cython|setstate_cython|test|pyx_capi)__"      # what Cython adds to every module


@pytest.fixture(autouse=True)
def mypy(missing):
    if importlib.util.find_spec("mypy") is None:
        missing("mypy, which checks the types, is not installed")


@pytest.mark.parametrize("module", ["core", "core3", "spaces"])
def test_the_stub_matches_the_compiled_module(module, root, elsewhere, tmp_path):
    """Every public name, parameter, default and property of hdsim._core stands in _core.pyi, and nothing else does. Other
    modules, from which it takes types only, are not read: whether they have these types, the test below asks."""
    (tmp_path / "allowed").write_text(COMPILED_IN % module)
    (tmp_path / "mypy.ini").write_text("[mypy]\nfollow_imports = skip\n")
    elsewhere("-m", "mypy.stubtest", f"hdsim._{module}", "--allowlist", "allowed", "--ignore-unused-allowlist",
              "--mypy-config-file", "mypy.ini", MYPYPATH=str(root / "src"))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the last numpy for Python 3.10 has older types")
def test_the_types_hold(root, elsewhere):
    """mypy finds nothing in the Python files. Its cache stays where mypy has it without tests: only what has changed, and what
    uses that, is checked anew."""
    elsewhere("-m", "mypy", "--config-file", root / "pyproject.toml", "--cache-dir", root / ".mypy_cache", root / "src" / "hdsim")


USER = """
import numpy as np
import hdsim

system = hdsim.random(100, radius=.01, temperature=1., seed=1, collisions="sequential", queue="heap")
other = hdsim.CollisionSystem.from_arrays([(.2, .5), (.8, .5)], np.zeros((2, 2)), .1, box=hdsim.Box(1, 1, (True, False)))
pressure: hdsim.Pressure = system.observe(hdsim.Pressure())
path: hdsim.Observer = system.observe("free path")
count: int = system.simulate(until=1.)
speeds = np.hypot(system.velocities[:, 0], system.velocities[:, 1])
print(pressure.value, path, speeds.mean(), system.temperature)
with system.edit() as edit:
    edit.velocities *= 2.
again: hdsim.CollisionSystem = system.show(theme="dark", colors="speed", trails=(0, 3))
hdsim.show(again, until=3, paused=True)
system.film("a.gif", until=2., theme="light")
ax = system.plot()
picture = hdsim.snapshot(system, 300, colors="energy")
print(picture.shape)
energy = sum(.5 * disc.mass * (disc.vx**2 + disc.vy**2) for disc in system) + system[0].kinetic_energy()
spheres = hdsim.CollisionSystem([hdsim.Sphere((.2, .5, .5), (1, 0, 0), .1, 1.)], box=(1, 1, 2.))
sphere = spheres[0]
assert isinstance(sphere, hdsim.Sphere) and sum(spheres.box.lengths) == 4
x, y, z = sphere.position
later = (hdsim.spaces.Norm(2), hdsim.roles.TwoEngines, hdsim.play, hdsim.recording, hdsim.datasets.names())
"""
WRONG = (       # line, what mypy says of it
    ('hdsim.random(9, collisions="never")', "Argument \"collisions\" to \"random\""),
    ('hdsim.CollisionSystem(queue="stack")', "queue"),
    ('hdsim.show(hdsim.load("p10"), theme="pink")', "theme"),
    ('hdsim.load("p10").show(colours="speed")', "did you mean \"colors\""),
    ('hdsim.load("p10").film("a.gif", colors="red")', "colors"), ('hdsim.load("p10").simulate(until="soon")', "until"),
    ('hdsim.load("p10").observe(3)', "No overload"), ('hdsim.snapshot(hdsim.load("p10"), trails=(1,))', "trails"),
    ('hdsim.load("p10")[0].energy', "has no attribute \"energy\""), ("hdsim.Sphere((0, 0, 0), (0, 0, 0), .1)", "mass"),
    ("hdsim.nonsense", "has no attribute \"nonsense\""),
)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the last numpy for Python 3.10 has older types")
def test_a_strictly_typed_program_uses_the_package(root, tmp_path):
    """mypy --strict accepts a program of a user, and finds each wrong use by its line."""
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text("import hdsim\n" + "".join(f"{line}\n" for line, _ in WRONG))
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent",
               "--cache-dir", root / ".mypy_cache", "user.py", "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | {"MYPYPATH": str(root / "src")}, capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert done.returncode == 1 and len(found) == len(WRONG), done.stdout
    for k, (said, (_, words)) in enumerate(zip(found, WRONG), 2):
        assert said.startswith(f"wrong.py:{k}: error: ") and words in said
