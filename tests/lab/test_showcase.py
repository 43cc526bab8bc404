"""The showcase: complete, small, the same each time, and each with a sentence."""
import pytest

from hdsim import CollisionSystem, datasets, spaces
from hdsim.lab import EXPERIMENTS
from hdsim.lab.showcase import BEGIN, FIRST, GROUPS, LAB, exhibits, of_title
from hdsim.starts import named


def test_every_named_system_and_experiment_is_shown_once_and_ten_of_all_kinds_come_first():
    found = exhibits()
    others = [exhibit for exhibit in found if exhibit.group != FIRST]
    assert len(others) == len({exhibit.title for exhibit in others})
    assert [exhibit.title for exhibit in found[:10]] == list(BEGIN) and found[10:] == others
    names = {group: [each.title for each in others if each.group == group] for group in GROUPS[1:]}
    assert {datasets.path(name).name for name in datasets.names()} == {f"{name}.txt" for name in names["data sets"]}
    assert names["tables"] == list(named.TABLES) and names["other spaces"] == list(named.SPACES)
    assert names[LAB] == [f"lab {name}" for name in EXPERIMENTS]
    assert len({exhibit.sentence for exhibit in others}) == len(others)
    assert {exhibit.figure for exhibit in others} == {"", "plots", "queue", "ledger"}
    assert all(exhibit.figure == "plots" for exhibit in others if exhibit.observer is not None)


def test_an_exhibit_is_found_by_its_title():
    assert of_title("lab maxwell").title == "lab maxwell" and of_title("lab nothing") is None


@pytest.mark.sample(12)
@pytest.mark.parametrize("exhibit", [each for each in exhibits() if each.group not in (FIRST, "data sets")],
                         ids=lambda each: each.title)
def test_exhibits_are_valid_move_and_are_always_the_same(exhibit):
    system, other = exhibit.make(), exhibit.make()
    assert 1 <= len(system) <= 1000 and (system.positions == other.positions).all()
    start = system.positions.copy()
    system.simulate(until=system.time + 1)
    assert isinstance(system, CollisionSystem) or isinstance(system, spaces.Gas)
    if isinstance(system, CollisionSystem):
        system.check()
    assert (system.positions != start).any() and (other.positions == start).all()
