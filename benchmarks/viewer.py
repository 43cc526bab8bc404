"""What a picture costs: the discs' positions as the graphics card wants them, handing them over, drawing them.

    python benchmarks/viewer.py --sizes 1000,100000,1000000

conversion  from a running system to a frame: positions now, as float32; what has not changed is not converted again
upload      from the frame to the card
draw        on the card, until it is done; on a computer without one this is the processor, and depends on --size

Wall-clock milliseconds for one frame; median and lowest of --frames. Needs OpenGL, but no display.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import scenes
from throughput import about, positive, sizes, table, whole

import hdsim
from hdsim.viewer import NoDisplayError
from hdsim.viewer.draw.context import offscreen
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film.image import picture_view
from hdsim.viewer.draw.theme import LIGHT

COLUMNS = ("discs", "conversion", "lowest", "upload", "lowest", "draw", "lowest")


def timed(action: Callable[[], object], times: list[float]) -> None:
    """Do it, and add the milliseconds that it took to `times`."""
    began = perf_counter()
    action()
    times.append(1e3 * (perf_counter() - began))


def measure(n: int, phi: float, size: int, frames: int) -> tuple[str, ...]:
    """A row of the table: milliseconds for each step with n discs."""
    from pyglet import gl

    from hdsim.viewer.draw.layers import Canvas, DiscLayer

    system = scenes.build(scenes.gas(n, phi))
    frame = Frame.of(system)
    view = picture_view(frame, size, size)
    canvas, layer = Canvas(size, size), DiscLayer()
    conversion: list[float] = []
    upload: list[float] = []
    draw: list[float] = []
    try:
        layer.draw(frame, view, LIGHT, 2.0)
        gl.glFinish()
        for _ in range(frames):
            system.simulate(max_events=max(n // 100, 1))
            began = perf_counter()
            frame = Frame.of(system, frame)
            conversion.append(1e3 * (perf_counter() - began))
            timed(lambda: (layer.upload(frame), gl.glFinish()), upload)
            timed(lambda: (layer.draw(frame, view, LIGHT, 2.0), gl.glFinish()), draw)
    finally:
        layer.delete()
        canvas.delete()
    return (f"{n:,}", *(f"{value:.3g}" for times in (conversion, upload, draw) for value in (median(times), min(times))))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what a picture costs.", allow_abbrev=False)
    parser.add_argument("--sizes", type=sizes, default="1000,10000,100000,1000000", metavar="N,N", help="discs (%(default)s)")
    parser.add_argument("--phi", type=positive, default=.4, help="packing fraction (%(default)s)")
    parser.add_argument("--size", type=whole, default=800, metavar="PIXELS", help="a side of the picture (%(default)s)")
    parser.add_argument("--frames", type=whole, default=30, metavar="K", help="measured for each row (%(default)s)")
    options = parser.parse_args(arguments)
    rows = [COLUMNS]
    try:
        with offscreen():
            rows += [measure(n, options.phi, options.size, options.frames) for n in options.sizes]
    except (ValueError, NoDisplayError) as error:
        parser.error(str(error))
    print(f"ms for a frame of {options.size} x {options.size} pixels, hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
