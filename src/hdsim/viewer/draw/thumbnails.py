"""Thumbnails: many small systems in one picture, drawn in few calls. It needs a current context.

Box and obstacles of each are drawn once, into a place of its own on a sheet, and copied from there. The discs of all systems
between walls are drawn in one call; those of a periodic box, which are cut off at its edges, and bodies that are no discs in one
call each."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...model.placed import states_of
from .area import Area
from .frame import Frame
from .gpu import Sheet, blend, clipped_to, unit
from .layers import DiscLayer, Ground
from .opengl import gl
from .spheres import SpaceLayer
from .theme import Theme
from .thumbnail import Thumbnail
from .view import View
from .visible import least_radius

LINE = 1.5              # width of its outline, window units
ACROSS = 8              # places on the sheet side by side


class Thumbnails:
    """Draws them into the current framebuffer. places: how many there are in all, each with a place on the sheet."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._ground, self._discs, self._cut = Ground(), DiscLayer(), DiscLayer()
        self._sheet, self._one, self._laid = Sheet(gl.GL_RGBA8), Sheet(gl.GL_RGBA8), Sheet(gl.GL_RGBA8)
        self._space: SpaceLayer | None = None   # for spheres
        self._state: Any = None                 # of the background that was drawn last
        self._drawn: dict[int, Any] = {}        # what is on the sheet, by place
        self._together: tuple[Any, Any] = (), None          # the radii of the discs of one call, and what they are for

    def draw(self, shown: Sequence[Thumbnail], size: tuple[int, int], clip: Area, theme: Theme, pixels: float) -> None:
        """Draw thumbnails of equal size within `clip`, over a background of the theme. size: of the picture."""
        with clipped_to(clip):
            gl.glClearColor(*unit(theme.surround), 1.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        if not shown:
            return
        width, height = round(shown[0].area.width), round(shown[0].area.height)
        self._one.resize((width, height))
        whole = min(self._places, ACROSS) * width, math.ceil(self._places / ACROSS) * height
        if whole != self._sheet.size:
            self._sheet.resize(whole)
            self._drawn.clear()
        for thumbnail in shown:
            self._prepare(thumbnail, theme, pixels)
        self._lay_out(shown, size, theme)
        with clipped_to(clip):
            self._laid.copy(clip, round(clip.left), round(clip.bottom))
            gl.glViewport(0, 0, *size)
            self._draw_discs(shown, size, theme, pixels)

    def _lay_out(self, shown: Sequence[Thumbnail], size: tuple[int, int], theme: Theme) -> None:
        """Draw the background of the whole picture, unless it is as it was last."""
        state = size, theme, [(thumbnail.area, self._drawn[thumbnail.place]) for thumbnail in shown]
        if self._state == state:
            return
        self._state = state
        self._laid.resize(size)
        with self._laid.drawn_on():
            gl.glClearColor(*unit(theme.surround), 1.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            for thumbnail in shown:
                corner = self._corner(thumbnail.place)
                part = Area(*corner, corner[0] + self._one.size[0], corner[1] + self._one.size[1])
                self._sheet.copy(part, round(thumbnail.area.left), round(thumbnail.area.bottom))

    def _corner(self, place: int) -> tuple[int, int]:
        width, height = self._one.size
        return place % ACROSS * width, place // ACROSS * height

    def _prepare(self, thumbnail: Thumbnail, theme: Theme, pixels: float) -> None:
        """Draw box and obstacles on the sheet, unless they are there as they are now."""
        frame = thumbnail.frame
        key = theme, pixels, frame.scenery, states_of(frame.scenery, frame.time), frame.depth
        if self._drawn.get(thumbnail.place) == key:
            return
        self._drawn[thumbnail.place] = key
        here = Thumbnail(thumbnail.place, frame, Area(0, 0, *self._one.size))
        view, line = here.view(self._one.size, pixels), LINE * pixels
        with self._one.drawn_on():
            gl.glClearColor(*unit(theme.surround), 1.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            if isinstance(view, View):          # the box of spheres is drawn with them
                self._ground.draw(frame, view, theme, line)
                gl.glDisable(gl.GL_BLEND)
        with self._sheet.drawn_on():
            self._one.copy(here.area, *self._corner(thumbnail.place))

    def _draw_discs(self, shown: Sequence[Thumbnail], size: tuple[int, int], theme: Theme, pixels: float) -> None:
        blend()
        walled = [thumbnail for thumbnail in shown if not thumbnail.is_alone]
        if walled:
            self._discs.draw(self._joined(walled, size, pixels), View(size, (0.0, 0.0), 1.0), theme, LINE * pixels)
        for thumbnail in (each for each in shown if each.is_alone):
            view = thumbnail.view(size, pixels)
            least = least_radius(thumbnail.frame, view, pixels)
            if isinstance(view, View):
                self._cut.draw(thumbnail.frame, view, theme, LINE * pixels, least)
            else:
                self._space = self._space or SpaceLayer()
                self._space.draw(thumbnail.frame, view, theme, LINE * pixels, least)
        gl.glDisable(gl.GL_BLEND)

    def _joined(self, walled: Sequence[Thumbnail], size: tuple[int, int], pixels: float) -> Frame:
        """The discs of all thumbnails as one frame, whose lengths are pixels."""
        views = [thumbnail.view(size, pixels) for thumbnail in walled]
        places = [view.pixels(thumbnail.frame.positions) for thumbnail, view in zip(walled, views)]
        key = [(thumbnail.place, thumbnail.frame.radii, view.scale) for thumbnail, view in zip(walled, views)]
        before, radii = self._together
        if len(before) != len(key) or not all(a[0] == b[0] and a[1] is b[1] and a[2] == b[2] for a, b in zip(before, key)):
            radii = np.concatenate([np.maximum(thumbnail.frame.radii * view.scale, least_radius(thumbnail.frame, view, pixels))
                                    for thumbnail, view in zip(walled, views)]).astype(np.float32)
            self._together = key, radii
        return Frame(0.0, size[0], size[1], (False, False), np.concatenate(places).astype(np.float32), radii,
                     np.concatenate([thumbnail.frame.colors for thumbnail in walled]), (None, None))

    def delete(self) -> None:
        for each in (self._ground, self._discs, self._cut, self._sheet, self._one, self._laid):
            each.delete()
        if self._space is not None:
            self._space.delete()
