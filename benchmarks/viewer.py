"""What a picture costs: the discs' positions as the graphics card wants them, handing them over, drawing them.

    python benchmarks/viewer.py --sizes 1000,100000,1000000
    python benchmarks/viewer.py --obstacles 10000
    python benchmarks/viewer.py --spheres 10648

conversion  from a running system to a frame: positions now, as float32; what has not changed is not converted again
upload      from the frame to the card
draw        on the card, until it is done; on a computer without one this is the processor, and depends on --size

With --obstacles K, instead, that many pegs, and a polygon of that many edges:

arrays      from shapes to the arrays of the card, once
sheet       drawn once into the memory of the card, again when the view changes
frame       copied from there into each frame

With --spheres N, instead, so many spheres on a lattice, each step in turn:

prepare     from a frame to the buffer: eye coordinates, the order from back to front, upload
points      drawn as points with a size, as where the whole box is in the picture
rectangles  drawn as rectangles, as elsewhere

Wall-clock milliseconds for one frame, of spheres of the processor; median and lowest of --frames. Needs OpenGL, but no display.
"""
from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
import scenes
from throughput import about, positive, sizes, table, whole

import hdsim
from hdsim.viewer import NoDisplayError
from hdsim.viewer.draw.context import offscreen
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film.image import picture_view
from hdsim.viewer.draw.theme import LIGHT

OBSTACLE_COLUMNS = ("obstacles", "arrays", "sheet", "lowest", "frame", "lowest")
SPHERE_COLUMNS = ("spheres", "prepare", "lowest", "points", "lowest", "rectangles", "lowest")
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


def measure_spheres(n: int, size: int, frames: int) -> tuple[str, ...]:
    """A row of the table of spheres: milliseconds of the processor, all threads, for each step."""
    from pyglet import gl

    from hdsim.viewer.draw import spheres
    from hdsim.viewer.draw.layers import Canvas, Scene

    k = max(round(n ** (1 / 3)), 1)
    places = (np.stack(np.meshgrid(*[np.arange(k)] * 3), -1).reshape(-1, 3) + .5) / k
    moves = np.random.default_rng(0).normal(size=places.shape)
    system = hdsim.CollisionSystem.from_arrays(places, moves, .3 / k, 1., box=hdsim.Box.of([1.] * 3, True))
    canvas, layers = Canvas(size, size), (Scene(LIGHT), Scene(LIGHT))
    steps: list[list[float]] = [[], [], []]
    most, frame = spheres.POINT_MOST, None
    try:
        for _ in range(frames + 2):
            system.simulate(max_events=n // 10)
            frame = Frame.of(system, frame)
            view = picture_view(frame, size, size)
            for which, (layer, limit) in enumerate(zip(layers, (most, 0.0))):
                spheres.POINT_MOST = limit
                for times in (steps[0] if which == 0 else None, steps[1 + which]):       # the second time the buffer is full
                    began = process_time()
                    layer.draw(frame, view)
                    gl.glFinish()
                    if times is not None:
                        times.append(1e3 * (process_time() - began))
    finally:
        spheres.POINT_MOST = most
        for each in (*layers, canvas):
            each.delete()
    steps = [times[2:] for times in steps]
    prepare = [first - second for first, second in zip(steps[0], steps[1])]
    return (f"{len(system):,}", *(f"{value:.3g}" for times in (prepare, *steps[1:]) for value in (median(times), min(times))))


def obstacles(k: int) -> dict[str, tuple[Any, ...]]:
    """Pegs on a square grid, and a room with a wavy edge, in the unit box."""
    side = math.isqrt(k)
    places = (np.arange(side) + 0.5) / side
    pegs = tuple(hdsim.Circle((x, y), 0.25 / side) for x in places.tolist() for y in places.tolist())
    angles = np.linspace(0, 2 * math.pi, k, endpoint=False)
    radii = 0.4 + 0.08 * np.sin(60 * angles)
    edge = np.column_stack([0.5 + radii * np.cos(angles), 0.5 + radii * np.sin(angles)])
    return {f"{side * side:,} pegs": pegs, f"polygon of {k:,} edges": (hdsim.Polygon(edge, side="inside"),)}


def measure_obstacles(name: str, shapes: tuple[Any, ...], size: int, frames: int) -> tuple[str, ...]:
    """A row of the table of obstacles: milliseconds for each step."""
    from pyglet import gl

    from hdsim.viewer.draw.layers import Canvas
    from hdsim.viewer.draw.obstacle_layer import ObstacleLayer
    from hdsim.viewer.draw.obstacle_shapes import shapes_of

    frame = replace(Frame.of(hdsim.CollisionSystem()), obstacles=shapes)
    canvas, layer, view = Canvas(size, size), ObstacleLayer(), picture_view(frame, size, size)
    arrays: list[float] = []
    sheet: list[float] = []
    draw: list[float] = []
    try:
        timed(lambda: shapes_of(shapes, hdsim.Box(), 0.0, LIGHT), arrays)
        layer.draw(frame, view, LIGHT, 2.0)
        for _ in range(frames):
            view = replace(view, origin=(view.origin[0] + 1, view.origin[1]))
            timed(lambda: (layer.draw(frame, view, LIGHT, 2.0), gl.glFinish()), sheet)
            timed(lambda: (layer.draw(frame, view, LIGHT, 2.0), gl.glFinish()), draw)
    finally:
        layer.delete()
        canvas.delete()
    return (name, f"{arrays[0]:.3g}", *(f"{value:.3g}" for times in (sheet, draw) for value in (median(times), min(times))))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what a picture costs.", allow_abbrev=False)
    parser.add_argument("--sizes", type=sizes, default="1000,10000,100000,1000000", metavar="N,N", help="discs (%(default)s)")
    parser.add_argument("--phi", type=positive, default=.4, help="packing fraction (%(default)s)")
    parser.add_argument("--size", type=whole, default=800, metavar="PIXELS", help="a side of the picture (%(default)s)")
    parser.add_argument("--obstacles", type=whole, metavar="K", help="measure obstacles instead of discs")
    parser.add_argument("--spheres", type=whole, metavar="N", help="measure spheres instead of discs")
    parser.add_argument("--frames", type=whole, default=30, metavar="K", help="measured for each row (%(default)s)")
    options = parser.parse_args(arguments)
    rows = [OBSTACLE_COLUMNS if options.obstacles else SPHERE_COLUMNS if options.spheres else COLUMNS]
    try:
        with offscreen():
            if options.spheres:
                rows.append(measure_spheres(options.spheres, options.size, options.frames))
            elif options.obstacles is None:
                rows += [measure(n, options.phi, options.size, options.frames) for n in options.sizes]
            else:
                rows += [measure_obstacles(name, shapes, options.size, options.frames)
                         for name, shapes in obstacles(options.obstacles).items()]
    except (ValueError, NoDisplayError) as error:
        parser.error(str(error))
    print(f"ms for a frame of {options.size} x {options.size} pixels, hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
