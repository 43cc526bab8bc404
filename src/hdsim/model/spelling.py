"""The known words that a misspelt word is most likely meant to be, for error messages."""
from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], most: int = 1) -> list[str]:
    """At most `most` of the known words, the most similar first, equally similar ones in the order of `known`.

    Similar means that at most half as many changes as `word` has letters make one of the other (see `distance`). Capital and
    small letters are equal."""
    # A distance is at least the difference of the lengths; so a very long word, which would take long, is near nothing.
    alike = (other for other in known if 2 * abs(len(word) - len(other)) <= len(word))
    distances = ((distance(word.lower(), other.lower()), other) for other in alike)
    near = sorted((pair for pair in distances if 2 * pair[0] <= len(word)), key=lambda pair: pair[0])
    return [other for _, other in near[:most]]


def distance(a: str, b: str) -> int:
    """The smallest number of changes that make b of a, where no letter is changed twice. A change inserts, deletes or replaces a
    letter, or swaps two neighbours."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]


# Names that users try for the radial distribution function, and where it is.
PAIR_NAMES = ("rdf", "g", "gr", "g_r", "gofr", "radialdistribution", "radial_distribution", "pair_correlation", "paircorrelation")
PAIRS = "hdsim.observables.radial_distribution(positions, box, edges)"
# Names that users try for observers, in small letters without blanks, and the observers.
OBSERVED = {"msd": "MeanSquaredDisplacement", "diffusion": "MeanSquaredDisplacement", "vacf": "VelocityAutocorrelation",
            "collisions": "CollisionRates", "rates": "CollisionRates"}
