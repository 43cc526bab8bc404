"""No writer makes a file whose suffix names another format: it could not be read again."""
import numpy as np
import pytest

import hdsim
from hdsim import viewer

SYSTEM = hdsim.random(3, seed=1)
TABLE = hdsim.Table({"n": np.arange(3), "x": np.array([.5, 1., -0.])})
WRITERS = {
    ".npz": SYSTEM.save,
    ".npz of a gas": hdsim.spaces.Gas(hdsim.spaces.Norm(2), [(.5, .5)], [(1., 0.)], radii=.1).save,
    ".csv": TABLE.to_csv,
    ".parquet": TABLE.to_parquet,
    ".png": lambda path: viewer.save_png(path, np.zeros((2, 2, 3), np.uint8)),
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("name", ["x.txt", "x", "x.zip", "x.npz.txt"])
def test_a_suffix_of_another_format_is_refused(kind, name, tmp_path):
    """By every writer, before there is a file; the message says the right suffix and the one found."""
    found = "." + name.rpartition(".")[2] if "." in name else "no ending"
    with pytest.raises(ValueError, match=rf"{name}: expected a file that ends in \{kind.split()[0]}, found {found}$"):
        WRITERS[kind](tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [".npz", ".csv", ".png"])
def test_its_own_suffix_is_written(kind, tmp_path):
    WRITERS[kind](str(tmp_path / f"x{kind}"))
    assert (tmp_path / f"x{kind}").stat().st_size > 0
