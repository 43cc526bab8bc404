"""Icons: small drawings of lines, circles and dots on a square of 24 by 24, by name."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .theme import Color

if TYPE_CHECKING:
    from .pen import Pen

SIDE = 24.0             # of the square on which icons are drawn
LINE = 1.8              # width of lines, on that square

Chain = list[tuple[float, float]]


class Icon(NamedTuple):
    """chains: points that lines join. rings, dots: centre and radius. thick: chains of double width, for filled shapes."""

    chains: tuple[Chain, ...] = ()
    rings: tuple[tuple[float, float, float], ...] = ()
    dots: tuple[tuple[float, float, float], ...] = ()
    thick: tuple[Chain, ...] = ()


def _triangle(x: float, direction: int, half: float = 5.0) -> tuple[Chain, ...]:
    """A filled triangle that points to the right (1) or the left (-1), as thick lines."""
    tip = x + direction * 8
    return ([(x, 12 - half), (x, 12 + half), (tip, 12), (x, 12 - half)], [(x, 12 - half / 2), (tip - direction * 3, 12)],
            [(x, 12 + half / 2), (tip - direction * 3, 12)], [(x + direction, 12), (tip, 12)])


def _turned(radius: float, begin: float, end: float, steps: int = 14) -> Chain:
    """A part of a circle about the middle; angles in degrees."""
    angles = [math.radians(begin + (end - begin) * k / steps) for k in range(steps + 1)]
    return [(12 + radius * math.cos(angle), 12 + radius * math.sin(angle)) for angle in angles]


ICONS = {
    "play": Icon(thick=_triangle(9, 1)),
    "pause": Icon(thick=([(9, 7), (9, 17)], [(15, 7), (15, 17)])),
    "forward": Icon(thick=(*_triangle(6, 1, 4.5), [(17.5, 7.5), (17.5, 16.5)])),
    "back": Icon(thick=(*_triangle(18, -1, 4.5), [(6.5, 7.5), (6.5, 16.5)])),
    "restart": Icon(chains=(_turned(7, 70, 360), [(11, 21.5), (14.6, 18.6), (10.4, 15.6)])),
    "reverse": Icon(chains=([(19, 15.5), (5, 15.5), (9, 19)], [(5, 8.5), (19, 8.5), (15, 5)])),
    "save": Icon(chains=([(12, 20), (12, 9)], [(7.5, 13.5), (12, 9), (16.5, 13.5)], [(4, 9), (4, 4), (20, 4), (20, 9)])),
    "undo": Icon(chains=([(8.5, 18), (4.5, 14), (8.5, 10)], [(4.5, 14), (15, 14), (19, 11), (17.5, 6.5), (12, 5.5)])),
    "colors": Icon(dots=((8, 8.5, 3.6), (16, 8.5, 3.6)), rings=((12, 15.5, 3.4),)),
    "arrows": Icon(chains=([(5, 6), (19, 18), (13.5, 17.5)], [(19, 18), (17.5, 12.5)]), dots=((5, 6, 2.6),)),
    "trails": Icon(chains=([(3, 8), (8, 18), (13, 6), (18, 14)],), dots=((18.5, 15.5, 2.8),)),
    "flashes": Icon(rings=((12, 12, 3.2),), chains=([(12, 17.5), (12, 21)], [(12, 6.5), (12, 3)], [(17.5, 12), (21, 12)],
                                                    [(6.5, 12), (3, 12)])),
    "plots": Icon(chains=([(4, 20), (4, 4), (20, 4)], [(7, 7), (10, 15), (13, 11), (16, 17), (20, 18)])),
    "profiles": Icon(chains=([(4, 4), (4, 20), (20, 20)], [(17, 17), (14, 12.5), (10.5, 9.5), (6, 7.5)]),
                     dots=((17, 17, 1.9), (14, 12.5, 1.9), (10.5, 9.5, 1.9), (6, 7.5, 1.9))),
    "queue": Icon(chains=([(12, 18), (6.5, 11.5)], [(12, 18), (17.5, 11.5)], [(6.5, 11.5), (3.8, 5.5)],
                          [(6.5, 11.5), (9.2, 5.5)]),
                  dots=((12, 18.5, 2.6), (6.5, 11.5, 2.4), (17.5, 11.5, 2.4), (3.8, 5, 2), (9.2, 5, 2))),
    "space": Icon(chains=([(4, 6), (14, 4), (20, 8), (20, 18), (10, 20), (4, 16), (4, 6)], [(4, 16), (14, 14), (20, 18)],
                          [(14, 14), (14, 4)])),
    "cells": Icon(chains=([(4, 4), (20, 4), (20, 20), (4, 20), (4, 4)], [(9.3, 4), (9.3, 20)], [(14.7, 4), (14.7, 20)],
                          [(4, 9.3), (20, 9.3)], [(4, 14.7), (20, 14.7)])),
    "curve": Icon(thick=([(9, 12), (15, 12)],), chains=(_turned(8, 0, 360, 28),)),
    "gas": Icon(chains=([(4, 17.5), (20, 17.5)], [(4, 12), (20, 12)], [(4, 6.5), (20, 6.5)]),
                dots=((15.5, 17.5, 2.8), (8, 12, 2.8), (13, 6.5, 2.8))),
    "flame": Icon(chains=([(12, 21), (16.5, 15.5), (18, 10), (16.5, 6), (12, 3.5), (7.5, 6), (6, 10), (8, 14.5), (10, 13),
                           (12, 21)], [(12, 3.5), (10, 7), (12.5, 11), (14.2, 7.5), (12, 3.5)])),
    "ice": Icon(chains=([(12, 3), (12, 21)], [(4.2, 7.5), (19.8, 16.5)], [(4.2, 16.5), (19.8, 7.5)], [(9.5, 19.5), (12, 17),
                        (14.5, 19.5)], [(9.5, 4.5), (12, 7), (14.5, 4.5)], [(4.6, 11), (7.7, 9.5), (7.5, 6)],
                        [(19.4, 13), (16.3, 14.5), (16.5, 18)], [(4.6, 13), (7.7, 14.5), (7.5, 18)],
                        [(19.4, 11), (16.3, 9.5), (16.5, 6)])),
    "piston": Icon(chains=([(3, 5), (21, 5), (21, 19), (3, 19)], [(3, 12), (11, 12)]), thick=([(12, 6.5), (12, 17.5)],)),
    "lid": Icon(chains=([(4, 15), (4, 4), (20, 4), (20, 15)],), thick=([(5, 15), (18, 20.5)],)),
    "manometer": Icon(rings=((12, 12, 8.5),), chains=([(12, 12), (16.5, 16)], [(6.5, 8), (7.8, 9)], [(17.5, 8), (16.2, 9)],
                                                      [(12, 18.8), (12, 17)]), dots=((12, 12, 1.8),)),
    "thermometer": Icon(chains=([(10, 9), (10, 19), (12, 21), (14, 19), (14, 9)], [(12, 16), (12, 7)]), rings=((12, 6.2, 3.4),),
                        dots=((12, 6.2, 1.9),)),
    "add": Icon(chains=([(12, 8), (12, 16)], [(8, 12), (16, 12)]), rings=((12, 12, 8.5),)),
    "wall": Icon(thick=([(5, 19), (12, 12)],), chains=([(12, 12), (19, 5)],), rings=((19, 5, 2.4), (5, 19, 2.4))),
    "ledger": Icon(thick=([(5, 15.5), (19, 15.5)], [(5, 8.5), (13, 8.5)]), chains=([(4, 20), (4, 4)],)),
    "picture": Icon(chains=([(3, 6), (21, 6), (21, 17), (16.5, 17), (15, 19.5), (9, 19.5), (7.5, 17), (3, 17), (3, 6)],),
                    rings=((12, 11.5, 3.4),)),
    "film": Icon(rings=((12, 12, 8.5),), dots=((12, 12, 4.8),)),
    "open": Icon(chains=([(3, 5), (3, 19), (9, 19), (11, 16.5), (21, 16.5), (21, 5), (3, 5)], [(3, 13), (21, 13)])),
    "gallery": Icon(chains=([(4, 4), (10, 4), (10, 10), (4, 10), (4, 4)], [(14, 4), (20, 4), (20, 10), (14, 10), (14, 4)],
                            [(4, 14), (10, 14), (10, 20), (4, 20), (4, 14)], [(14, 14), (20, 14), (20, 20), (14, 20), (14, 14)])),
    "help": Icon(chains=([(8.5, 15.5), (9, 18), (12, 19.5), (15, 18), (15.3, 15), (12.3, 12.3), (12, 9.5)],),
                 dots=((12, 5.4, 1.5),)),
    "more": Icon(dots=((5.5, 12, 2), (12, 12, 2), (18.5, 12, 2))),
    "whole": Icon(chains=([(4, 9), (4, 4), (9, 4)], [(15, 4), (20, 4), (20, 9)], [(20, 15), (20, 20), (15, 20)],
                          [(9, 20), (4, 20), (4, 15)])),
    "sound": Icon(thick=([(5, 10), (5, 14)], [(8, 9.5), (8, 14.5)]), chains=([(8, 14.5), (12, 18.5), (12, 5.5), (8, 9.5)],
                                                                            [(15, 9), (16.5, 12), (15, 15)],
                                                                            [(18, 7), (20.5, 12), (18, 17)])),
}


def draw_icon(pen: Pen, name: str, x: float, y: float, side: float, color: Color, alpha: float = 1.0) -> None:
    """Draw an icon with its middle at pixel (x, y), `side` pixels wide."""
    icon, scale = ICONS[name], side / SIDE
    corner = np.array((x, y)) - side / 2
    for chains, width in ((icon.chains, LINE), (icon.thick, 1.7 * LINE)):
        for chain in chains:
            pen.polyline(corner + scale * np.array(chain), color, width * scale, alpha)
    if icon.rings:
        rings = np.array(icon.rings)
        pen.rings(corner + scale * rings[:, :2], scale * rings[:, 2], color, LINE * scale, alpha)
    if icon.dots:
        dots = np.array(icon.dots)
        pen.dots(corner + scale * dots[:, :2], scale * dots[:, 2], color, alpha)
