"""Files are written beside their targets: what a killed process leaves is removed by the next save, and nothing else is."""
import os
import platform
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from scenes import environment, python

from hdsim.formats import drafts, io

KILLED = """
import os, signal, sys
from hdsim.formats import io
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
io.save_checkpoint(sys.argv[1], {}, {"left": "behind"})
"""
needs_locks = pytest.mark.skipif(drafts.fcntl is None, reason="no locks of files here")


def killed_save(path):
    """A process that is killed just before its file takes the place of `path`. Returns the draft that it leaves."""
    before = set(os.listdir(path.parent))
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=environment(), timeout=20)
    assert done.returncode == -signal.SIGKILL
    [draft] = set(os.listdir(path.parent)) - before
    return path.parent / draft


def left_draft(target, age=0.0):
    """A draft that nothing holds, to which nothing was written for so many seconds."""
    draft = target.parent / f"{drafts._starts(str(target))[1]}0123456789abcdef.tmp"
    draft.write_bytes(b"half a fi")
    os.utime(draft, (time.time() - age,) * 2)
    return draft


@needs_locks
def test_the_next_save_removes_what_a_killed_one_has_left(tmp_path):
    """And leaves alone the drafts for other targets, other files, and the file itself."""
    path, other = tmp_path / "state.npz", tmp_path / "other.npz"
    io.save_checkpoint(path, {"x": np.ones(2)}, {})
    drafts_left = [killed_save(path), left_draft(path)]
    keeps = [killed_save(other), tmp_path / ".hdsim-notes.tmp"]
    keeps[1].write_text("a file of the user")
    assert io.load_checkpoint(path)[1] == {} and all(draft.exists() for draft in drafts_left + keeps)
    io.save_checkpoint(path, {}, {"k": 1})
    assert {*os.listdir(tmp_path)} == {"state.npz", *(keep.name for keep in keeps)}
    assert io.load_checkpoint(path)[1] == {"k": 1}


@needs_locks
def test_a_draft_that_is_being_written_is_never_removed(tmp_path):
    """Neither by another process nor by another thread; both saves succeed, and the last one counts."""
    path = tmp_path / "state.txt"
    with drafts.replacing(str(path)) as file:
        file.write(b"the first, which takes long")
        os.utime(file.name, (0, 0))
        python(f"""
from hdsim.formats import drafts
with drafts.replacing({str(path)!r}) as file:
    file.write(b"the second")
""")
        assert path.read_bytes() == b"the second" and os.path.exists(file.name)
        thread = threading.Thread(target=drafts._remove_abandoned, args=(str(path),))
        thread.start(), thread.join()
        assert os.path.exists(file.name)
    assert path.read_bytes() == b"the first, which takes long" and os.listdir(tmp_path) == ["state.txt"]


@needs_locks
def test_many_savers_at_once(tmp_path):
    """Threads that save to one target, and remove what they take for abandoned, do not disturb each other."""
    path, errors = tmp_path / "state.npz", []

    def save(k):
        try:
            for turn in range(30):
                io.save_checkpoint(path, {}, {"k": k, "turn": turn})
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and os.listdir(tmp_path) == ["state.npz"]
    assert io.load_checkpoint(path)[1]["turn"] == 29


@needs_locks
def test_a_draft_of_another_machine_is_given_a_day(tmp_path, monkeypatch):
    """Its lock may not be seen here."""
    path, here = tmp_path / "state.txt", platform.node()
    monkeypatch.setattr(platform, "node", lambda: "another")
    fresh = left_draft(path, age=80_000)
    monkeypatch.setattr(platform, "node", lambda: here)
    with drafts.replacing(str(path)):
        pass
    assert fresh.exists()
    os.utime(fresh, (time.time() - 90_000,) * 2)
    with drafts.replacing(str(path)):
        pass
    assert os.listdir(tmp_path) == ["state.txt"]


def test_a_draft_without_locks_is_given_a_day(tmp_path, monkeypatch):
    """Where the system has none, age alone tells."""
    monkeypatch.setattr(drafts, "fcntl", None)
    path = tmp_path / "state.txt"
    fresh = left_draft(path, age=80_000)
    with drafts.replacing(str(path)) as file:
        file.write(b"new")
    assert fresh.exists() and path.read_bytes() == b"new"
    left_draft(path, age=90_000)
    with drafts.replacing(str(path)):
        pass
    assert os.listdir(tmp_path) == ["state.txt"]
    with pytest.raises(ZeroDivisionError), drafts.replacing(str(path)):
        1 / 0
    assert os.listdir(tmp_path) == ["state.txt"]


@needs_locks
def test_a_draft_that_is_removed_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    """Another process may look at it in that instant."""
    lock, removed = drafts.fcntl.flock, []

    def late(file, operation):
        if not removed:
            removed.append(file.name)
            os.unlink(file.name)
        lock(file, operation)

    monkeypatch.setattr(drafts.fcntl, "flock", late)
    with drafts.replacing(str(tmp_path / "state.txt")) as file:
        file.write(b"whole")
    assert removed and (tmp_path / "state.txt").read_bytes() == b"whole"


@needs_locks
def test_a_file_system_without_locks(tmp_path, monkeypatch):
    """Files are written as ever; nothing is taken for abandoned."""
    def refuse(*_):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(drafts.fcntl, "flock", refuse)
    path = tmp_path / "state.txt"
    draft = left_draft(path)
    with drafts.replacing(str(path)) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole" and draft.exists()


def test_an_error_has_the_name_of_the_file_and_its_number(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, drafts.complete_file(tmp_path / "none" / "a.txt"):
        pass
    assert str(caught.value) == f"{tmp_path / 'none' / 'a.txt'}: No such file or directory" and caught.value.errno == 2
