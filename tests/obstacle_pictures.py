"""Obstacles of many shapes, and what a picture of them shows at each pixel, by brute force over images."""
import math

import numpy as np

import hdsim
from hdsim.model.obstacles import gap, is_on_wrong_side
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film.image import picture_view

SIDE = 300
ROUND_BLOCK = [hdsim.Segment((.3, .4), (.6, .4)), hdsim.Arc((.6, .5), .1, (.6, .4), (.6, .6)), hdsim.Segment((.6, .6), (.3, .6)),
               hdsim.Arc((.3, .5), .1, (.3, .6), (.3, .4))]
BITTEN = [hdsim.Segment((.2, .2), (.2, .8)), hdsim.Segment((.2, .8), (.4, .8)), hdsim.Arc((.5, .8), .1, (.4, .8), (.6, .8)),
          hdsim.Segment((.6, .8), (.8, .8)), hdsim.Segment((.8, .8), (.8, .2)), hdsim.Segment((.8, .2), (.2, .2))]
STAR = [(.5 + (.4 if k % 2 else .15) * math.cos(k * math.pi / 6), .5 + (.4 if k % 2 else .15) * math.sin(k * math.pi / 6))
        for k in range(12)]
SHAPES = {
    "segment": [hdsim.Segment((.1, .2), (.8, .7))], "polyline": [hdsim.Polyline([(.1, .1), (.4, .9), (.7, .2), (.9, .9)])],
    "star": [hdsim.Polygon(STAR)], "star as a room": [hdsim.Polygon(STAR, side="inside")],
    "peg": [hdsim.Circle((.4, .6), .2)], "round room": [hdsim.Circle((.5, .5), .4, side="inside")],
    "ring": [hdsim.Circle((.5, .5), .3, side="both")], "long arc": [hdsim.Arc((.5, .5), .3, 80, 30)],
    "short arc": [hdsim.Arc((.5, .5), .4, 20, 120, side="inside")], "round block": [hdsim.Path(ROUND_BLOCK, side="outside")],
    "round room of parts": [hdsim.Path(ROUND_BLOCK, side="inside")], "bitten block": [hdsim.Path(BITTEN, side="outside")],
    "bitten room": [hdsim.Path(BITTEN, side="inside")], "half-plane": [hdsim.Line((.3, .3), (2, 1))],
    "several": [hdsim.Polygon([(.1, .1), (.9, .1), (.9, .9), (.1, .9)], side="inside"), hdsim.Circle((.4, .4), .15),
                hdsim.Polygon([(.4, .4), (.8, .5), (.5, .8)]), hdsim.Segment((.1, .9), (.9, .1))],
    "far larger than the box": [hdsim.Circle((.5, -1e7), 1e7 + .2), hdsim.Polygon([(.7, .8), (3e8, 1e8), (-1e8, 3e8)]),
                                hdsim.Arc((200.5, .5), 200, 170, 190)],
}


def system_of(obstacles, periodic=(False, False), width=1.0, **how):
    return hdsim.CollisionSystem(box=hdsim.Box(width, 1.0, periodic), obstacles=obstacles, **how)


def places_of(frame, width=SIDE, height=SIDE):
    """The positions in the box of all pixels' middles, (height, width) each, the top row first; and pixels per length."""
    view = picture_view(frame, width, height)
    x = (np.arange(width) + .5 - view.origin[0]) / view.scale
    y = (np.arange(height)[::-1] + .5 - view.origin[1]) / view.scale
    return *np.meshgrid(x, y), view.scale


def expected(system, width=SIDE, height=SIDE, places=None):
    """Of all pixels: the distance from the nearest line in pixels, whether no disc can be there, and whether they are in the box
    and not near its walls. By brute force over images. places: as from `places_of`, for other pictures."""
    frame = Frame.of(system)
    x, y, scale = places or places_of(frame, width, height)
    distance, solid = np.full(x.shape, np.inf), np.zeros(x.shape, bool)
    for obstacle in system.obstacles:
        for a in (-1, 0, 1) if frame.periodic[0] else (0,):
            for b in (-1, 0, 1) if frame.periodic[1] else (0,):
                px, py = (x - a * frame.width).ravel(), (y - b * frame.height).ravel()
                signed = gap(obstacle, px, py, 0.0)
                distance = np.minimum(distance, np.abs(signed).reshape(x.shape) * scale)
                if isinstance(obstacle, hdsim.Line):
                    solid |= (signed < 0).reshape(x.shape)
                elif getattr(obstacle, "side", "both") != "both" and not isinstance(obstacle, hdsim.Arc):
                    solid |= is_on_wrong_side(obstacle, px, py).reshape(x.shape)
    inside = (x > 2 / scale) & (x < frame.width - 2 / scale) & (y > 2 / scale) & (y < frame.height - 2 / scale)
    return distance, solid, inside
