"""Theme: the colours of a picture apart from the colours of the discs, as (red, green, blue) of 0 to 255."""
from __future__ import annotations

from dataclasses import dataclass

from ...model.colors import ON_WHITE

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Theme:
    name: str
    surround: Color      # around the box
    paper: Color         # inside the box
    outline: Color       # the walls, and the lines of obstacles
    solid: Color         # where no disc can be: inside solid obstacles, outside rooms
    text: Color
    faint: Color         # text and lines of less importance
    panel: Color         # behind text
    accent: Color        # the selected disc
    warning: Color
    # Colours that the colour-blind can distinguish: the palette of Okabe and Ito, "Color universal design" (2008), with the
    # brightness that the paper needs. Orange, sky blue, green, blue, vermilion, purple, yellow.
    palette: tuple[Color, ...]
    size: float = 1.0    # size of text and lines; larger for viewers at a distance
    smallest: float = 8.25      # smallest letters, points at that size: 11 pixels, or in a large theme those of its base size


OKABE_ITO = ((230, 159, 0), (86, 180, 233), (0, 158, 115), (0, 114, 178), (213, 94, 0), (204, 121, 167), (240, 228, 66))

# Paper is white because the book's files are made for it: many of their discs are black or dark grey.
LIGHT = Theme("light", surround=(232, 232, 228), paper=(255, 255, 255), outline=(96, 96, 96), solid=(222, 222, 216),
              text=(40, 40, 40), faint=(128, 128, 124), panel=(244, 244, 241), accent=(213, 94, 0), warning=(190, 40, 30),
              palette=ON_WHITE)
DARK = Theme("dark", surround=(24, 26, 30), paper=(38, 41, 47), outline=(150, 154, 162), solid=(60, 64, 72),
             text=(226, 228, 232), faint=(140, 144, 152), panel=(30, 32, 37), accent=(255, 176, 32), warning=(255, 120, 100),
             palette=OKABE_ITO)
PROJECTOR = Theme("projector", surround=(255, 255, 255), paper=(255, 255, 255), outline=(0, 0, 0), solid=(214, 214, 214),
                  text=(0, 0, 0), faint=(90, 90, 90), panel=(255, 255, 255), accent=(200, 60, 0), warning=(190, 0, 0),
                  palette=ON_WHITE, size=1.5, smallest=10.0)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR)}
