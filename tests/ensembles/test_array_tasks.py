"""docs/slurm.md: its program and its commands, with the variables of SLURM set by hand."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from scenes import environment

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "slurm.md").read_text()
PROGRAM = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
COMMANDS = [block for block in re.findall(r"```bash\n(.*?)```", PAGE, re.S) if block.startswith("SLURM_ARRAY_TASK_ID")]


def run(folder, *commands):
    """The commands in this folder, as a shell runs them: variables before the program."""
    folder.mkdir(exist_ok=True)
    (folder / "fluid.py").write_text(PROGRAM)
    for command in commands:
        *variables, python, program = command.split()
        assert python == "python"
        given = environment() | dict(variable.split("=") for variable in variables)
        subprocess.run([sys.executable, program], cwd=folder, env=given, check=True, capture_output=True, timeout=100)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of one call, without tasks."""
    folder = tmp_path_factory.mktemp("whole")
    run(folder, "python fluid.py")
    return (folder / "fluid.csv").read_bytes()


@pytest.mark.more
def test_the_commands_of_the_page_give_the_table_of_one_call(whole, tmp_path):
    """Four tasks and the last call, which runs nothing: no file is new."""
    *tasks, last = COMMANDS[0].splitlines()
    assert len(COMMANDS) == 1 and len(tasks) == 4 and "#SBATCH --array=0-3\n" in PAGE
    run(tmp_path, *tasks)
    files = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "fluid").iterdir()}
    assert len(files) == 8 and not (tmp_path / "fluid.csv").exists()       # 7 or 8 replicas a task, in batches of 5
    run(tmp_path, last)
    assert (tmp_path / "fluid.csv").read_bytes() == whole
    assert {file.name: file.stat().st_mtime_ns for file in (tmp_path / "fluid").iterdir()} == files


@pytest.mark.more
def test_what_is_missing_is_run_by_the_last_call(whole, tmp_path):
    """Two tasks of four, one of them with a batch that was lost: the last call adds the rest."""
    run(tmp_path, *COMMANDS[0].splitlines()[1:3])
    os.remove(min((tmp_path / "fluid").iterdir()))
    run(tmp_path, "python fluid.py")
    assert (tmp_path / "fluid.csv").read_bytes() == whole
    assert len(whole.splitlines()) == 31
