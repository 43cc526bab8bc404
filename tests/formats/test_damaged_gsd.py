"""GSD files whose header, index or chunks are wrong: what each damage is called. Damages at random are in test_fuzz_files."""
import struct

import numpy as np
import pytest
from scenes import gas

import hdsim
from hdsim import FileFormatError
from hdsim.formats.files import write


@pytest.fixture
def gsd():
    """The library."""
    pytest.importorskip("gsd.fl")
    import gsd

    return gsd


@pytest.mark.parametrize("place, form, value, message", [
    (0, "Q", 1, "expected a GSD file, found another"),
    (8, "Q", 0, r"its index between bytes 256 and \d+, where the file ends; found a header that puts it at 0 with 4096 bytes"),
    (8, "Q", 2**63, "its index between bytes"),
    (16, "Q", 0, "its index between bytes .* with 0 bytes"),
    (16, "Q", 2**59 | 128, "its index between bytes"),          # times 32, this is 4096 in 64 bits
    (24, "Q", 2**64 - 1024, "its list of names between bytes"),
    (32, "Q", 0, "its list of names between bytes"),
    (32, "Q", 2**58 | 16, "its list of names between bytes"),
    (44, "I", 3 << 16, r"expected a GSD file of version 0\.3, 1 or 2, found version 3\.0"),
    (44, "I", 2, r"found version 0\.2"),
    (112, "6s", b"Hoomd\0", "expected the schema 'hoomd', found 'Hoomd'"),
    (112, "64s", b"hoomd" * 13, "expected the schema 'hoomd', found 'hoomdhoomd"),
    (256 + 4096 + 1023, "c", b"x", "whose list of names ends in a NUL, found b'x'"),
    (256 + 30, "B", 12, r"index entries of a known kind, with columns, found entry 0 with kind 12, 1 row, 1 column"),
    (256 + 24, "I", 0, "index entries of a known kind, with columns, found entry 0 with kind 4, 1 row, 0 columns"),
    (256 + 16, "q", -8, r"index entries of chunks within the \d+ bytes of the file, found entry 0 with location -8"),
    (256 + 16, "q", 2**62, "index entries of chunks within"),
    (256 + 8, "Q", 2**61, "index entries of chunks within .* with location .*, 2305843009213693952 rows"),
    (256 + 32 + 28, "H", 20, "index entries with one of 20 names, found entry 1 with name 20"),
    (256, "Q", 128, "index entries of frames before 128, the number of entries, found entry 0 with frame 128"),
    (256 + 31, "B", 1, "index entries without flags, found entry 0 with flags 1"),
    (256, "Q", 1, "index entries behind those of earlier frames and names, found entry 1 with frame 0"),
    (256 + 16, "q", 0, "unused entries at the end of its index only, found entry 1 behind one"),
    (256 + 32 * 127 + 16, "q", 256, "unused entries at the end of its index only, found entry 127 behind one"),
])
def test_a_damaged_gsd_file_is_refused_before_the_library_sees_it(gsd, place, form, value, message, tmp_path, monkeypatch):
    """By what is wrong: the file's size and its header, its names and its index are held against each other."""
    path = tmp_path / "wrong.gsd"
    write(path, gas(4).frame())
    data = bytearray(path.read_bytes())
    struct.pack_into("<" + form, data, place, value)
    path.write_bytes(data)
    monkeypatch.setattr(gsd.fl, "open", lambda *_: pytest.fail("the library was asked"))
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: .*" + message):
        hdsim.trajectory(path)


def test_a_gsd_file_of_too_many_names(gsd, tmp_path):
    """They would be read at once."""
    path = tmp_path / "names.gsd"
    write(path, gas(4).frame())
    data = bytearray(path.read_bytes())
    struct.pack_into("<Q", data, 32, (1 << 18) + 1)
    path.write_bytes(data)
    with open(path, "r+b") as file:
        file.truncate(1 << 25)
    with pytest.raises(FileFormatError, match=r"names\.gsd: .* a list of names of at most 16777216 bytes, found 16777280"):
        hdsim.trajectory(path)


def test_a_long_gsd_index_is_held_together(gsd, tmp_path, monkeypatch):
    """It is read in pieces, in each version of the format; what is wrong is found in all of them."""
    monkeypatch.setattr("hdsim.formats.gsd_index.ENTRIES_AT_ONCE", 7)
    path = tmp_path / "long.gsd"
    system = gas(4)
    with system.record(path, every=.1):
        system.simulate(until=3)
    assert len(hdsim.trajectory(path)) == 31
    data = bytearray(path.read_bytes())
    index, entries = struct.unpack_from("<2Q", data, 8)
    for k, frame, message in ((70, 0, "found entry 70 with frame 0"), (entries - 1, 0, f"found entry {entries - 1} behind one")):
        wrong = bytearray(data)
        struct.pack_into("<QQq", wrong, index + 32 * k, frame, 1, 256)
        path.write_bytes(wrong)
        with pytest.raises(FileFormatError, match=message):
            hdsim.trajectory(path)


def test_gsd_files_of_version_1(gsd, tmp_path):
    """Names of 64 bytes each; entries of a frame in any order."""
    path = tmp_path / "old.gsd"
    write(path, gas(4).frame())
    frame = hdsim.trajectory(path)[0]
    data = bytearray(path.read_bytes())
    names = [name for name in data[256 + 4096:256 + 4096 + 1024].split(b"\0") if name]
    entries = [data[256 + 32 * k:256 + 32 * (k + 1)] for k in range(len(names))]
    data[256:256 + 32 * len(names)] = b"".join(reversed(entries))
    struct.pack_into("<2Q", data, 24, len(data), len(names))
    struct.pack_into("<I", data, 44, 1 << 16)
    path.write_bytes(data + b"".join(name.ljust(64, b"\0") for name in names))
    again = hdsim.trajectory(path)[0]
    assert again.time == frame.time and np.array_equal(again.positions, frame.positions)


def test_what_the_library_refuses(gsd, tmp_path, monkeypatch):
    """Its errors are of this file, when it is opened and when a chunk is read."""
    path = tmp_path / "odd.gsd"
    write(path, gas(4).frame())
    frames = hdsim.trajectory(path)

    class Odd:
        nframes, chunk_exists = 1, frames._file.chunk_exists

        def read_chunk(self, frame, name):
            raise MemoryError("too large")

    frames._file = Odd()
    with pytest.raises(FileFormatError, match=r"odd\.gsd: expected configuration/box in frame 0, found .* \(too large\)"):
        frames[0]
    for error in (RuntimeError, MemoryError, ValueError):
        monkeypatch.setattr(gsd.fl, "open", lambda *_, error=error: (_ for _ in ()).throw(error("odd")))
        with pytest.raises(FileFormatError, match=r"odd\.gsd: expected a GSD file that gsd can open, found another \(odd\)"):
            hdsim.trajectory(path)


@pytest.mark.parametrize("chunk, values, message", [
    ("configuration/box", np.ones(5, np.float32), "a rectangular box in frame 0, found"),
    ("configuration/box", "a box", "configuration/box as numbers in frame 0, found text"),
    ("particles/position", np.ones(2, np.float32), r"positions in frame 0, found \(2,\)"),
    ("configuration/step", np.array([1, 2], np.uint64), r"a finite step in frame 0, found \[1, 2\]"),
    ("configuration/step", np.array([np.nan]), r"a finite step in frame 0, found \[nan\]"),
    ("particles/image", np.ones((2, 3), np.float32), "particles/image as whole numbers in frame 0, found float32"),
    ("particles/mass", np.array([1, np.nan], np.float32), "a mass from .*, found nan"),
    ("particles/velocity", np.full((2, 3), np.inf, np.float32), "a finite velocity .*, found \\[inf, inf\\]"),
    ("configuration/box", np.array([1e-300, 1, 0, 0, 0, 0]), "frame 0: box width is 1e-300"),
])
def test_a_foreign_gsd_file_with_odd_chunks(gsd, chunk, values, message, tmp_path):
    """Wrong shapes, types and numbers."""
    path = tmp_path / "odd.gsd"
    chunks = {"configuration/box": np.array([4, 4, 0, 0, 0, 0], np.float32), "particles/position": np.ones((2, 3), np.float32)}
    with gsd.fl.open(path, "w", "test", "hoomd", [1, 4]) as file:
        for name, array in (chunks | {chunk: values}).items():
            file.write_chunk(name, array)
        file.end_frame()
    with pytest.raises(FileFormatError, match=r"odd\.gsd: .*" + message):
        hdsim.trajectory(path)[0]
