"""The showcase: complete, small, the same each time, and each with a sentence."""
import pytest

from hdsim import CollisionSystem, datasets
from hdsim.lab import EXPERIMENTS
from hdsim.lab.showcase import GROUPS, exhibits


def test_every_data_set_table_and_experiment_is_shown_once():
    found = [(exhibit.group, exhibit.name) for exhibit in exhibits()]
    assert len(found) == len(set(found)) == len({exhibit.title for exhibit in exhibits()})
    names = {group: [name for other, name in found if other == group] for group in GROUPS}
    assert {datasets.path(name).name for name in datasets.names(2)} == {f"{name}.txt" for name in names["data sets"]}
    assert names["experiments"] == list(EXPERIMENTS)
    assert len({exhibit.sentence for exhibit in exhibits() if exhibit.group == "tables"}) == len(names["tables"]) >= 8


@pytest.mark.parametrize("exhibit", [each for each in exhibits() if each.group != "data sets"], ids=lambda each: each.title)
def test_exhibits_are_valid_move_and_are_always_the_same(exhibit):
    system, other = exhibit.make(), exhibit.make()
    assert 1 <= len(system) <= 1000 and (system.positions == other.positions).all()
    start = system.positions.copy()
    system.simulate(until=system.time + 1)
    if isinstance(system, CollisionSystem):     # and not a globe on paper
        system.check()
    assert (system.positions != start).any() and (other.positions == start).all()
