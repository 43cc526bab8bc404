"""What tests of the command line share: processes of it, and how its summary is read."""
import os
import re
import subprocess
import sys

import pytest

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and terminals of POSIX")
TWO = "2\n.3 .5 .1 0 .1 1 0 0 0\n.7 .5 -.1 0 .1 1 0 0 0\n"


def rows(text):
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines())


def contacts(summary):
    return tuple(int(number.replace(",", "")) for number in re.findall(r"[\d,]+\d|\d", summary["contacts"]))


def process(*arguments, program=("-m", "hdsim"), **options):
    """A process of the command line, without a display unless one is given, importing what this process imports."""
    paths = os.pathsep.join([os.path.abspath(path) for path in sys.path if path])
    environment = {**os.environ, "PYTHONPATH": paths, "DISPLAY": "", "TERM": "xterm", **options.pop("environment", {})}
    return subprocess.Popen([sys.executable, *program, *map(str, arguments)], env=environment, **options)


def finished(*arguments, input=b"", **options):
    """Status, standard output and standard error, as text, of such a process."""
    child = process(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    out, err = child.communicate(input, timeout=60)
    return child.returncode, out.decode(), err.decode()
