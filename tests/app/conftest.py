"""Fixtures that run the command line in this process."""
import io as bytes_io
import sys

import pytest
from command_line import rows

from hdsim.app import cli


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """run(*arguments, stdin=text or None): status, standard output and standard error of the command line.

    It works in an empty folder. Without stdin, standard input is a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=None):
        stream = bytes_io.TextIOWrapper(bytes_io.BytesIO((stdin or "").encode()))
        stream.isatty = lambda: stdin is None
        monkeypatch.setattr(sys, "stdin", stream)
        status = cli.main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        assert "Traceback" not in output.err
        assert all(len(line) <= 100 for line in output.out.splitlines() if "--json" not in arguments)
        return status, output.out, output.err
    return run


@pytest.fixture
def summary(run):
    """summary(*arguments, stdin): the rows of the summary of a run without a window, as a dict."""
    def summary(*arguments, stdin=None):
        status, out, err = run(*arguments, "--no-view", stdin=stdin)
        assert status == 0, err
        return rows(out)
    return summary
