"""What a disc will do next (core/prediction.pxd): one answer for every order of the candidates, and when it is out of date."""
import itertools
import math

import pytest

FIRST, NO_PARTNER = -2147483647, -2147483646     # of queue.pxd
WALLS = (-4, -3, -2, -1)


def contact_order(i):
    """How contacts (t, partner, shift_x, shift_y) of disc i are ordered: by time, lower disc, other disc or wall, image."""
    def key(contact):
        t, partner, *shift = contact
        return (t, i, partner, *shift) if partner in WALLS else (t, *sorted((i, partner)), *shift)
    return key


def pool(i):
    """Contacts of disc i of which many have the same time, partner or image; images of the disc itself and walls are there."""
    discs = [(t, partner, *shift) for t in (1., 2.) for partner in (i - 2, i - 1, i, i + 1, i + 3)
             for shift in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1))]
    return discs + [(t, wall, 0, 0) for t in (1., 2.) for wall in WALLS]


def test_a_prediction_does_not_depend_on_the_order_of_the_candidates(probe, draw):
    """It holds the first contact in the order of contacts, and the earliest time of all others; a contact that is considered
    twice counts once. All permutations of small sets with ties."""
    i, tied = 5, 0
    for _ in range(400):
        contacts = draw.sample(pool(i), draw.randint(1, 4))
        contacts.append(draw.choice(contacts))
        first, *others = sorted(set(contacts), key=contact_order(i))
        second = min((t for t, *_ in others), default=math.inf)
        tied += first[0] == second
        for order in itertools.permutations(contacts):
            found = probe.consider(i, order, probe.no_prediction())
            assert (found["t"], found["partner"], found["image"]["x"], found["image"]["y"]) == first
            assert found["second"] == second
    assert tied > 100


def test_both_discs_of_a_contact_choose_it_among_contacts_of_the_same_time(probe):
    """Disc 2 with 6 comes before 6 with 7 for disc 6, and 1 with 2 before 2 with 6 for disc 2."""
    for contacts, i, partner in (((6, 7), (2, 6)), 6, 2), (((2, 6), (1, 2)), 2, 1):
        others = [(1., a + b - i, 0, 0) for a, b in contacts]
        assert probe.consider(i, others, probe.no_prediction())["partner"] == partner


def test_considering_a_contact_changes_no_crossing(probe):
    before = {**probe.no_prediction(), "crossing_time": 1.5, "step": [-1, 1]}
    after = probe.consider(3, [(2., 4, 1, 0)], before)
    assert after == {**before, "t": 2., "partner": 4, "image": {"x": 1, "y": 0}}


# is it still valid?

def discs():
    return [{"x": float(k), "y": 2. * k, "vx": .5 + k, "vy": -1. - k, "t": .25 * k, "radius": .1, "mass": 1.,
             "wrap": {"x": 0, "y": 0}} for k in range(4)]


def changed(i, **fields):
    """The discs, of which one has other values."""
    found = discs()
    found[i] |= fields
    return found


@pytest.mark.parametrize("field", ["t", "vx", "vy"])
def test_a_contact_is_invalidated_when_its_partner_has_a_new_state(probe, field):
    """By each of its clock and its velocity alone, even by the last bit. Other discs do not matter."""
    prediction = {**probe.no_prediction(), "t": 3., "partner": 2}
    assert not probe.is_invalidated(prediction, 1, discs(), discs())
    for value in (7., math.nextafter(discs()[2][field], 9.)):
        assert probe.is_invalidated(prediction, 1, discs(), changed(2, **{field: value}))
        assert not probe.is_invalidated(prediction, 1, discs(), changed(0, **{field: value}))
        assert not probe.is_invalidated(prediction, 1, discs(), changed(1, **{field: value}))


@pytest.mark.parametrize("wall", WALLS)
def test_a_contact_with_a_wall_is_not_invalidated_by_other_discs(probe, wall):
    prediction = {**probe.no_prediction(), "t": 3., "partner": wall}
    for other in (0, 2, 3):
        assert not probe.is_invalidated(prediction, 1, discs(), changed(other, t=7., vx=7., vy=7.))


def test_a_postponed_prediction_is_invalidated(probe):
    """It has a time and no partner."""
    prediction = {**probe.no_prediction(), "t": 3.}
    assert probe.is_invalidated(prediction, 1, discs(), discs())


# the item of the queue

def items_in_order(probe, predictions):
    """The discs {number: prediction} in the order in which a queue gives their items."""
    heap = probe.Heap(10)
    for i, prediction in predictions.items():
        heap.insert(i, probe.next_time(prediction), probe.next_partner(prediction))
    found = []
    while heap.top():
        found.append(heap.top()[1])
        heap.delete(found[-1])
    return found


def test_at_equal_times_crossings_come_first_then_postponed_predictions_then_contacts(probe):
    """Whichever discs they concern, and in whatever order they are put in."""
    def prediction(t, partner, crossing):
        return {**probe.no_prediction(), "t": t, "partner": partner, "crossing_time": crossing}
    ordered = {9: prediction(9., 1, 1.), 6: prediction(math.inf, NO_PARTNER, 2.), 8: prediction(2., 7, 2.),
               4: prediction(2., NO_PARTNER, 3.), 5: prediction(2., NO_PARTNER, math.inf), 3: prediction(2., 1, 3.),
               2: prediction(2., -1, 3.), 1: prediction(2.5, -4, 3.)}
    for order in ([*ordered], [*ordered][::-1], sorted(ordered)):
        assert items_in_order(probe, {i: ordered[i] for i in order}) == [*ordered]


def test_the_next_event_is_the_earlier_of_contact_and_crossing(probe):
    """At equal times the crossing, so that a disc is listed as a neighbour before its contact."""
    for t, crossing, partner in ((1., 2., 7), (2., 1., FIRST), (2., 2., FIRST)):
        prediction = {**probe.no_prediction(), "t": t, "partner": 7, "crossing_time": crossing}
        assert (probe.next_time(prediction), probe.next_partner(prediction)) == (min(t, crossing), partner)
