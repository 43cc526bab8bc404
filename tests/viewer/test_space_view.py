"""Where spheres are seen from: pixels, order and picking against a ray caster of a few lines, and the moves of the orbit."""
import math
from dataclasses import replace

import numpy as np
import pytest

import hdsim
from hdsim.viewer import Look, Orbit, snapshot
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.hiding import hidden
from hdsim.viewer.draw.orbit import ALONG, looking
from hdsim.viewer.draw.space_view import SpaceView, backward
from hdsim.viewer.draw.theme import LIGHT
from hdsim.viewer.draw.wire import before_spheres, wire

SIZE, MARGINS = (320, 240), (10, 20, 30, 40)
ORBITS = [Orbit(), Orbit(perspective=False), Orbit(pose=looking(200, -50), zoom=2.5, centre=(.3, .2, .9)),
          Orbit(slab=(.3, .6)), Orbit(perspective=False, slab=(.5, .7), pose=ALONG["x"][0])]


def spheres(n=900, radii=(.01, .08), seed=3):
    """Spheres of many sizes that do not overlap, in a box of three lengths; those that find no room are left out."""
    random = np.random.default_rng(seed)
    box, kept = hdsim.Box(1, .8, depth=1.2), []
    for radius in np.sort(random.uniform(*radii, n))[::-1]:
        place = radius + random.random(3) * (np.array(box.lengths) - 2 * radius)
        if all(math.dist(place, other) > radius + size for *other, size in kept):
            kept.append((*place, radius))
    found = np.array(kept)
    colors = random.integers(0, 256, (len(found), 3))
    return hdsim.CollisionSystem.from_arrays(found[:, :3], np.zeros((len(found), 3)), found[:, 3], box=box, colors=colors)


def cast(view: SpaceView, system, px, py):
    """The sphere that a ray through a pixel meets first within the slab, by a quadratic equation for each in box coordinates."""
    rows = np.array(view.pose)
    right, up, to_eye = rows
    across = ((px - view.middle[0]) * right + (py - view.middle[1]) * up) / view.scale
    start = np.array(view.target) + across
    ahead = -to_eye
    if math.isfinite(view.distance):
        eye = np.array(view.target) + view.distance * to_eye
        ahead = (start - eye) / np.linalg.norm(start - eye)
    best, first = None, math.inf
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * system.box.lengths
    heights = (corners - view.target) @ to_eye
    limits = [heights.max() + share * (heights.min() - heights.max()) for share in view.slab]
    limits = [math.inf if view.slab[0] == 0 else limits[0], -math.inf if view.slab[1] == 1 else limits[1]]
    t_near, t_far = (-limit if math.isinf(limit) else (limit - (start - view.target) @ to_eye) / (ahead @ to_eye)
                     for limit in limits)
    for i, (place, radius) in enumerate(zip(system.positions, system.radii)):
        b = (start - place) @ ahead
        square = b * b - ((start - place) @ (start - place) - radius * radius)
        if square >= 0:
            t0, t1 = max(-b - math.sqrt(square), t_near), min(-b + math.sqrt(square), t_far)
            if t0 < t1 and t0 < first:
                best, first = i, t0
    return best


@pytest.mark.sample(1)
@pytest.mark.parametrize("orbit", ORBITS)
def test_picking_and_order_are_those_of_a_ray_caster(orbit):
    """At 200 random pixels for each of five orbits: the sphere that is picked, and the last one in the order of drawing that the
    pixel is in, are the one that a ray meets first."""
    system = spheres()
    frame = Frame.of(system)
    view = orbit.view(frame, SIZE, MARGINS)
    bodies = view.bodies(frame.positions, frame.radii)
    assert sorted(bodies.which) == sorted(set(bodies.which.tolist()))
    hits = 0
    for px, py in (np.random.default_rng(1).random((200, 2)) * SIZE).tolist():
        wanted = cast(view, system, px, py)
        assert view.hit(bodies, px, py) == wanted
        hits += wanted is not None
        if orbit.slab == (0.0, 1.0):
            start, ahead = view.ray(px, py)
            aside = np.linalg.norm(np.cross(start - bodies.eye, ahead), axis=1)
            covering = np.flatnonzero(aside <= bodies.radii)
            assert (int(bodies.which[covering[-1]]) if len(covering) else None) == wanted
    assert hits > 25


@pytest.mark.parametrize("orbit", ORBITS[:3])
def test_pixels_and_radii_are_those_of_tangent_rays(orbit):
    """A sphere is seen within its reach across the direction to the middle, and no farther; `point` undoes `pixels`."""
    frame = Frame.of(spheres(40))
    view = orbit.view(frame, SIZE, MARGINS)
    pixels, reach = view.pixels(frame.positions), view.reach(frame.positions, frame.radii)
    for i, (place, radius) in enumerate(zip(frame.positions.astype(float), frame.radii.astype(float))):
        assert view.point(*pixels[i], place) == pytest.approx(place, abs=1e-5)
        away = pixels[i] - view.middle
        across = np.array((-away[1], away[0])) / np.hypot(*away)
        for share, inside in ((.995, True), (1.005, False)):
            start, ahead = view.ray(*(pixels[i] + share * reach[i] * across))
            assert (np.linalg.norm(np.cross(start - view.eye(place[None])[0], ahead)) <= radius) == inside
    moved = view.along(7, -3, frame.positions[0])
    assert view.pixels(frame.positions[0] + moved)[0] - pixels[0] == pytest.approx((7, -3), abs=1e-3)


def test_the_order_of_very_many_is_that_of_their_depths():
    """Beyond SORTED_EXACTLY depths of 16 bits are sorted: no sphere comes before one that is farther by more than such a step."""
    seen = np.random.default_rng(1).random((250_000, 3)).astype(np.float32)
    order = backward(seen, np.full(len(seen), .001, np.float32), math.inf)
    assert np.diff(seen[order, 2]).min() > -2e-5 and len(np.unique(order)) == len(seen)


def test_the_whole_box_fits_in_the_picture():
    """In every pose, also while it turns at one magnification; a number as zoom is kept."""
    frame = Frame.of(spheres(5))
    low, high = np.array((10, 20)), np.array((320 - 30, 240 - 40))
    for perspective in (True, False):
        for azimuth in range(0, 360, 35):
            orbit = Orbit.of_angles(azimuth, azimuth / 5 - 30, perspective=perspective)
            corners = orbit.view(frame, SIZE, MARGINS).pixels(frame.lengths * np.array([[0, 0, 0], [1, 1, 1], [1, 0, 0]]))
            assert (corners >= low - 1e-6).all() and (corners <= high + 1e-6).all()
        steady = Orbit(perspective=perspective).steady(frame, SIZE, MARGINS)
        for degrees in range(0, 360, 20):
            view = steady.spun(degrees, steady.view(frame, SIZE, MARGINS)).view(frame, SIZE, MARGINS)
            corners = view.pixels(view.corners)
            assert (corners >= low - 1).all() and (corners <= high + 1).all()
    assert replace(steady, zoom=3.0).steady(frame, SIZE, MARGINS).zoom == 3.0


def test_moves_keep_what_they_should():
    """A drag takes the point of the ball along; a zoom keeps what is at the pixel; a pan moves by pixels; once around is home."""
    frame = Frame.of(spheres(5))
    orbit = Orbit(perspective=False)
    view = orbit.view(frame, SIZE, MARGINS)
    place = view.point(200, 150)
    nearer = orbit.zoomed(4.0, 200, 150, view)
    assert nearer.view(frame, SIZE, MARGINS).pixels(place)[0] == pytest.approx((200, 150), abs=1e-6)
    assert nearer.view(frame, SIZE, MARGINS).scale == pytest.approx(4 * view.scale)
    assert orbit.panned(12, -5, view).view(frame, SIZE, MARGINS).pixels(place)[0] == pytest.approx((212, 145), abs=1e-6)
    around = orbit
    for _ in range(36):
        around = around.spun(10, around.view(frame, SIZE, MARGINS))
    assert np.allclose(around.pose, orbit.pose, atol=1e-9)
    dragged = orbit.dragged((150, 110), (170, 110), view)
    assert np.array(dragged.pose)[2] @ np.array(orbit.pose)[0] < 0 and dragged.dragged(
        (170, 110), (150, 110), dragged.view(frame, SIZE, MARGINS)).pose == pytest.approx(np.array(orbit.pose), abs=1e-9)
    assert orbit.dragged((150, 110), (150, 110), view) is orbit
    assert nearer.fitted() == orbit


def test_what_is_no_orbit_is_refused():
    for values, message in (({"pose": ((1, 0, 0), (0, 1, 0), (0, 0, -1))}, "perpendicular"),
                            ({"pose": ((1, 0), (0, 1))}, "three directions"),
                            ({"zoom": 0}, "zoom is 0"), ({"slab": (.5, .5)}, "slab is"), ({"fog": 2}, "fog is 2"),
                            ({"centre": (1, math.nan, 0)}, "centre is")):
        with pytest.raises(ValueError, match=message):
            Orbit(**values)
        with pytest.raises(ValueError, match=message):
            Look(orbit=values)
    with pytest.raises(ValueError, match="it must have the values of"):
        Look(orbit={"zooom": 1})
    with pytest.raises(ValueError, match="must be a hdsim.viewer.Orbit"):
        Look(orbit=3)


@pytest.mark.parametrize("orbit", ORBITS)
def test_the_wire_of_the_box(orbit):
    """Twelve edges; what is behind the spheres is what none of the faces towards the eye has; a slab has its sections."""
    frame = Frame.of(spheres(5))
    view = orbit.view(frame, SIZE, MARGINS)
    box = wire(view, frame.periodic, LIGHT, 2.0)
    assert len(box.behind) + len(box.before) == 12 and 1 <= len(box.faces) <= 5
    assert len(wire(view, (True, True, True), LIGHT, 2.0).before) > 24      # dashes
    sections = len(before_spheres(view, box)) - len(box.before)
    assert 3 * sum(map(math.isfinite, view.planes)) <= sections <= 6 * sum(map(math.isfinite, view.planes))
    ends = np.concatenate([box.behind, box.before]).reshape(-1, 2)
    assert ends == pytest.approx(np.array([view.pixels(view.corners)[np.argmin(np.hypot(*(view.pixels(view.corners) - end).T))]
                                           for end in ends]), abs=1e-6)


@pytest.mark.sample(1)
@pytest.mark.parametrize("orbit", ORBITS)
def test_pictures_show_what_a_ray_caster_sees(opengl, orbit):
    """In the middle of pixels, away from outlines: the hue of the sphere that a ray meets, or paper; without fog."""
    system = spheres(300, (.03, .1))
    orbit = replace(orbit, fog=0.0)
    image = snapshot(system, *SIZE, look=Look(orbit=orbit, colors="file")).astype(int)
    margin = 2 + 0.02 * min(SIZE)
    view = orbit.view(Frame.of(system), SIZE, (margin,) * 4)
    checked = 0
    for px, py in np.random.default_rng(2).integers(3, np.array(SIZE) - 3, (200, 2)).tolist():
        found = {cast(view, system, px + .5 + dx, py + .5 + dy) for dx in (-1.6, 0, 1.6) for dy in (-1.6, 0, 1.6)}
        if len(found) == 1 and None not in found:
            ink, seen = system.colors[found.pop()].astype(int), image[SIZE[1] - 1 - py, px]
            hue, lit = ink - ink.min(), seen - seen.min()
            assert lit @ hue > .97 * np.linalg.norm(lit) * np.linalg.norm(hue) > 0 or np.ptp(ink) < 40
            checked += 1
    assert checked > 15


def test_thermal_faces_are_tinted():
    """From blue to red: those behind the spheres are filled, those before them have an outline within their edges."""
    frame = Frame.of(hdsim.random(9, radius=.05, box=(1, 1, 1), walls={"left": hdsim.Thermal(1.), "right": hdsim.Thermal(4.)}))
    view = Orbit().view(frame, (400, 400), (0, 0, 0, 0))
    plain, box = (wire(view, frame.periodic, LIGHT, 2.0, walls) for walls in ({}, frame.walls))
    changed = [k for k, (one, other) in enumerate(zip(plain.faces, box.faces)) if one.color != other.color]
    assert len(changed) == len(box.thermal) == 1 and plain.thermal == []
    red, green, blue = box.faces[changed[0]].color
    [(ends, color)] = box.thermal
    assert red > green + 60 and color[2] > color[0] + 100 and ends.shape == (4, 4)
    corners = view.pixels(view.corners)
    assert (ends.reshape(-1, 2) > corners.min(axis=0)).all() and (ends.reshape(-1, 2) < corners.max(axis=0)).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize("orbit", ORBITS)
@pytest.mark.parametrize("radii", ["alike", "one large"])
def test_what_spheres_hide(orbit, radii):
    """Points behind or in a sphere, as by comparing each with all of them, one by one."""
    rng = np.random.default_rng(5)
    frame = Frame.of(spheres(60))
    sizes = frame.radii.copy()
    if radii == "one large":
        sizes[7] *= 6
    view = orbit.view(frame, SIZE, MARGINS)
    bodies, points = view.bodies(frame.positions, sizes), rng.uniform(0, 1, (150, 3)) * frame.lengths
    found, right = hidden(view, bodies, points), []
    near, far = view.planes
    for point in view.eye(points):
        eye = np.array((0, 0, view.distance)) if math.isfinite(view.distance) else point + (0, 0, 100.)
        way = np.linspace(0, 1, 1501)[:, None]
        steps = eye + way * (point - eye)
        steps = steps[(steps[:, 2] < near) & (steps[:, 2] > far)]
        away = np.linalg.norm(steps[:, None] - bodies.eye, axis=2)
        right.append(bool((away < bodies.radii).any()) if len(steps) else False)
    assert (found == right).mean() > .96 and .01 < found.mean() < .98
    assert not hidden(view, view.bodies(frame.positions[:0], sizes[:0]), points).any()
    assert len(hidden(view, bodies, points[:0])) == 0
