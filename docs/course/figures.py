"""Draws the figures of the course, all of them by hdsim: python docs/course/figures.py [FOLDER]

Needs OpenGL and a display for the window (xvfb-run -a serves), hdsim[plot], Pillow, and for the Chinese lettering a font of
FONTS. The plots measure again, so their points move a little.
"""
from __future__ import annotations

import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hdsim
from hdsim import lab, viewer
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem

BLUE, RED, PALE, MIDDLE = (47, 107, 156), (214, 84, 47), (214, 227, 238), (150, 183, 210)
FAINT, STEP = (240, 170, 150), 0.075
FAINTEST = 0.12     # of the oldest exposure
COLORS = 64         # of a picture
TREE = slice(44, 492), slice(-598, None)    # rows and columns of the window: the panel is at its right edge
FONTS = "wqy-microhei", "notosanscjk", "sourcehansans"     # beginnings of names of files, in order of choice
# What the plots of the laboratory say. Where one is part of another, the longer one goes first.
CHINESE = {
    "... and what it costs, with N = ": "代价，N = ",
    "dt (mean free times)": "dt（以平均自由时间为单位）",
    "checks of a pair per contact": "每次碰撞检查的粒子对数",
    "events": "事件驱动",
    "Contacts that are missed": "漏掉的碰撞",
    "way of a pair in a step (diameters)": "一步内两圆盘的相对位移（以直径为单位）",
    "share of contacts that is missed": "漏掉的碰撞所占比例",
    "random chords, ": "随机弦理论，",
    "Time per contact on this machine": "本机上每次碰撞的耗时",
    "time per contact (us)": "每次碰撞的时间（微秒）",
    "number of discs N": "圆盘数 N",
    "lazy heap, all pairs": "惰性堆，检查所有对",
    "indexed heap, all pairs": "索引堆，检查所有对",
    "indexed heap, cells": "索引堆，元胞",
    "calendar, cells": "日历队列，元胞",
    ": slope ": "：斜率 ",
    "Queue size after 4 contacts of each disc": "每个圆盘碰撞 4 次之后的队列长度",
    "items in the queue": "队列中的事件数",
    "lazy heap: all events, slope ": "惰性堆：全部事件，斜率 ",
    "pairs put into it till then, slope ": "到那时为止放进过队列的粒子对，斜率 ",
    "one item per disc: indexed heap, calendar": "每个圆盘一项：索引堆，日历队列",
}
NAMES = {"overlap", "rollback", "ordered"}      # of schemes, which are the same in every language


# pictures without words

def exposures(system: Any, times: np.ndarray, side: int) -> np.ndarray:
    """Many instants in one picture, the last in full colour, the others the fainter the older they are."""
    pictures = []
    for time in times:
        system.simulate(until=float(time))
        pictures.append(hdsim.snapshot(system, side, side).astype(float))
    ground = np.max(pictures, axis=0)
    weights = np.linspace(FAINTEST, 0.55, len(pictures) - 1).tolist() + [1.0]
    return np.min([ground + weight * (picture - ground) for weight, picture in zip(weights, pictures)], axis=0).astype(np.uint8)


def system_of(discs: list[tuple[Any, ...]], **options: Any) -> hdsim.CollisionSystem:
    """Discs (rx, ry, vx, vy, radius, color) of mass 1, also on top of each other; those that come later are drawn later."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hdsim.OverlapWarning)
        return hdsim.CollisionSystem([hdsim.Particle(*state, 1, color) for *state, color in discs], **options)


def rack(**options: Any) -> hdsim.CollisionSystem:
    """billiards5, with a red cue ball."""
    start = hdsim.load("billiards5")
    cue = int(np.argmax(np.abs(start.velocities).sum(axis=1)))
    return system_of([(*start.positions[i], *start.velocities[i], start.radii[i], RED if i == cue else BLUE)
                      for i in range(len(start))], **options)


def balls() -> list[np.ndarray]:
    one = system_of([(.2, .3, .271, .13, .05, BLUE)])
    many = TimeDrivenSystem(hdsim.random(100, radius=.035, seed=3), .5, "walls")
    many.simulate(until=200)
    return [exposures(TimeDrivenSystem(one, .5, "walls"), np.arange(0, 7, .5), 420), hdsim.snapshot(many, 420, 420)]


def schemes() -> list[np.ndarray]:
    pair = system_of([(.2, .35, .45, .13, .1, BLUE), (.78, .62, -.2, -.05, .1, RED)])
    return [exposures(TimeDrivenSystem(pair, .2, scheme), np.arange(8) * .2, 360) for scheme in ("walls", "overlap", "ordered")]


def missed() -> list[np.ndarray]:
    pair = system_of([(.1, .47, .2, 0, .05, BLUE), (.724, .53, -.2, 0, .05, RED)])
    return [exposures(TimeDrivenSystem(pair, dt, "overlap"), np.arange(0, 3 + dt, dt), 360) for dt in (1 / 8, 1 / 2, 2)]


def touch() -> list[np.ndarray]:
    """A point on its way, at equal intervals: dark until it touches, faint where it would go on."""
    sigma, found = .25, []
    for offset in (.55, 1.0, 1.35):
        height = .42 + offset * sigma
        contact = .5 - sigma * np.sqrt(1 - offset**2) if offset <= 1 else np.inf
        one = min(contact, .5)
        ways = np.concatenate([np.arange(one, .05, -STEP)[::-1], np.arange(one + STEP, .97, STEP)])
        dots = [(x, height, 0, 0, .016, RED if x <= contact else FAINT) for x in ways]
        found.append(hdsim.snapshot(system_of([(.5, .42, 0, 0, sigma, PALE), (.5, .42, 0, 0, .13, MIDDLE), *dots]), 360, 360))
    return found


def break_() -> list[np.ndarray]:
    """The rack, and what becomes of it by either rule."""
    rules = [rack(collisions=rule) for rule in ("sequential", "simultaneous")]
    return [hdsim.snapshot(rack(), 360, 360), *(exposures(rule, np.linspace(4, 14, 21), 360) for rule in rules)]


def reverse() -> list[np.ndarray]:
    """At the start, before the turn at t = 30, and at home again."""
    system = rack()
    found = [exposures(system, np.linspace(26, 30, 9), 360)]
    system.reverse()
    return [hdsim.snapshot(rack(), 360, 360), *found, exposures(system, np.linspace(53, 60, 15), 360)]


def heap() -> list[np.ndarray]:
    """The tree in the panel that shows the queue, as the window draws it, cut out between words."""
    import pyglet
    from pyglet.window import key

    found: list[np.ndarray] = []

    def script() -> Iterator[None]:
        [window] = pyglet.app.windows
        window.set_size(1240, 860)
        window.dispatch_event("on_key_press", key.Q, 0)
        for _ in range(14):
            window.dispatch_event("on_key_press", key.RIGHT, 0)
            yield
        yield
        window.switch_to()
        window.on_draw()
        data = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data()
        window_picture = np.frombuffer(data.get_data("RGB", data.width * 3), np.uint8).reshape(data.height, data.width, 3)[::-1]
        found.append(window_picture[TREE])
        window.close()

    acting = script()
    pyglet.clock.schedule_interval(lambda dt: next(acting, None), .1)
    viewer.show(TextbookSystem(hdsim.load("p10")), paused=True)
    return found


def row(pictures: list[np.ndarray]) -> np.ndarray:
    """Side by side; snapshots have a margin of their own."""
    return np.concatenate(pictures, axis=1)


# plots of the laboratory

def plot(result: lab.Result, panels: tuple[int, ...], chinese: bool) -> bytes:
    """Some panels of a result, as the laboratory draws them; in Chinese with the words of CHINESE."""
    from matplotlib import pyplot

    family = ["DejaVu Sans", *([chinese_font()] if chinese else [])]
    with pyplot.rc_context({"font.family": family, "font.size": 11}), warnings.catch_warnings():
        warnings.simplefilter("error")      # a glyph that is missing
        figure, axes = pyplot.subplots(1, len(panels), figsize=(5.4 * len(panels), 4.4), layout="constrained")
        for axis, panel in zip(axes, panels):
            result.panels[panel](result, axis)
            if chinese:
                translate(axis)
        file = io.BytesIO()
        figure.savefig(file, dpi=90)
        pyplot.close(figure)
    return file.getvalue()


def chinese_font() -> str:
    """The name of one that is installed, known to matplotlib from now on."""
    from matplotlib import font_manager

    found = {name: path for name in FONTS for path in font_manager.findSystemFonts() if Path(path).name.lower().startswith(name)}
    if not found:
        raise FileNotFoundError(f"no font for Chinese: none of {', '.join(FONTS)} is installed")
    path = next(iter(found.values()))
    font_manager.fontManager.addfont(path)
    return font_manager.FontProperties(fname=path).get_name()


def translate(axis: Any) -> None:
    """Every word; ValueError for one that CHINESE lacks."""
    legend = axis.get_legend()
    for text in (axis.title, axis.xaxis.label, axis.yaxis.label, *axis.texts, *(legend.get_texts() if legend else ())):
        words = text.get_text()
        for english in sorted(CHINESE, key=len, reverse=True):
            words = words.replace(english, CHINESE[english])
        less = re.fullmatch(r"\.\.\. less the stale ones, (\d+) to (\d+) % of them", words)
        words = f"去掉其中已失效的 {less[1]}% 至 {less[2]}%" if less else words
        if unknown := set(re.findall("[A-Za-z]{3,}", words)) - NAMES:
            raise ValueError(f"no Chinese for {', '.join(sorted(unknown))} in {text.get_text()!r}")
        text.set_text(words)


def save(path: Path, picture: np.ndarray | bytes) -> None:
    """As a PNG of few colours."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture)) if isinstance(picture, bytes) else Image.fromarray(picture)
    image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path, path.stat().st_size)


PICTURES: dict[str, Callable[[], list[np.ndarray]]] = {
    "balls": balls, "schemes": schemes, "missed": missed, "touch": touch, "heap": heap, "break": break_, "reverse": reverse}
PLOTS: dict[str, tuple[Callable[..., lab.Result], tuple[int, ...]]] = {       # and their panels
    "time-step": (lab.time_step, (1, 2)), "queues": (lab.queues, (0, 2))}


def main(folder: Path, *names: str) -> None:
    """All figures, or those named."""
    for name, draw in PICTURES.items():
        if not names or name in names:
            save(folder / f"{name}.png", row(draw()))
    for name, (measure, panels) in PLOTS.items():
        if not names or name in names:
            result = measure()
            for language in ("en", "zh"):
                save(folder / f"{name}-{language}.png", plot(result, panels, language == "zh"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent, *sys.argv[2:])
