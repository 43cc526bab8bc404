"""Files that people write by hand: what they get wrong, and that the error says what would be right."""
import pytest

from hdsim.formats import io
from hdsim.model.errors import FileFormatError

ROW = ".5 .5 0 0 .01 1 0 0 0"


BLANKS = "; blanks separate numbers, and decimals follow a point"
PLACE = "gas.txt:3: expected discs inside the box, found disc 1 at"
RX = "expected a finite number in column 1 (rx)"


@pytest.mark.parametrize("rows, message", [
    (["0,5 .5 0 0 .01 1 0 0 0", ROW], f"gas.txt:2: {RX}, found '0,5'{BLANKS}"),
    ([".5,.5,0,0,.01,1,0,0,0", ROW], f"gas.txt:2: {RX}, found '.5,.5,0,0,.01,1,0,0,0'{BLANKS}"),
    ([f"{ROW} # lower", ROW], f"gas.txt:2: {RX} of the next row, or the end of the line, found '#'"),
    (["# lower", ROW, ROW], f"gas.txt:2: {RX}, found '#'"),
    ([ROW, "150 50 0 0 7 1 0 0 0"], f"{PLACE} (150, 50) with radius 7 across the right wall at x = 1; a line `box WIDTH HEIGHT`, "
                                    "after the rows, gives another box than 1 x 1"),
    ([ROW, "1.5 .5 0 0 .01 1 0 0 0", "box 1 2"], f"{PLACE} (1.5, 0.5) with radius 0.01 across the right wall at x = 1")])
def test_an_error_says_what_would_be_right(rows, message):
    with pytest.raises(FileFormatError) as caught:
        io.read_text("\n".join(["2", *rows, ""]).encode(), name="gas.txt")
    assert str(caught.value) == message
