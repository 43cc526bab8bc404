"""IndexMinPQ: the engine's own queue through its Python binding, against a dict."""
from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdsim import IndexMinPQ

CAPACITY = 12
ITEMS = st.integers(0, CAPACITY - 1)
KEYS = st.one_of(st.integers(-3, 3).map(float), st.floats(allow_nan=False))      # equal keys often
OPERATIONS = st.lists(st.tuples(
    st.sampled_from(["insert", "change_key", "decrease_key", "increase_key", "delete", "del_min"]), ITEMS, KEYS),
    max_size=60)


def filled(keys):
    queue = IndexMinPQ(len(keys))
    for item, key in enumerate(keys):
        queue.insert(item, key)
    return queue


def expected_error(model, name, item, key):
    """What a call must raise, by the book; None if it is legal."""
    if name == "insert":
        return ValueError if item in model else None
    if name == "del_min":
        return None if model else IndexError
    if item not in model:
        return KeyError
    if (name == "decrease_key" and not key < model[item]) or (name == "increase_key" and not key > model[item]):
        return ValueError
    return None


def agree(queue, model):
    queue.check()
    assert len(queue) == queue.size() == len(model) and queue.is_empty() == (not model)
    assert {i: queue.key_of(i) for i in range(CAPACITY) if i in queue} == model
    assert [queue.contains(i) for i in range(CAPACITY)] == [i in model for i in range(CAPACITY)]
    if model:
        first = min(model, key=lambda i: (model[i], i))
        assert (queue.min_index(), queue.min_key()) == (first, model[first])


@settings(max_examples=150, deadline=None)
@given(OPERATIONS)
def test_any_sequence_of_operations_agrees_with_a_dict(operations):
    """After every operation, also a refused one, queue and model hold the same and the invariants stand."""
    queue, model = IndexMinPQ(CAPACITY), {}
    for name, item, key in operations:
        arguments = {"del_min": (), "delete": (item,)}.get(name, (item, key))
        error = expected_error(model, name, item, key)
        if error is not None:
            with pytest.raises(error):
                getattr(queue, name)(*arguments)
        elif name == "del_min":
            first = min(model, key=lambda i: (model[i], i))
            assert queue.del_min() == first
            del model[first]
        else:
            assert getattr(queue, name)(*arguments) is None
            if name == "delete":
                del model[item]
            else:
                model[item] = key
        agree(queue, model)


@settings(max_examples=50, deadline=None)
@given(st.lists(KEYS, max_size=40))
def test_items_come_out_by_key_then_by_index(keys):
    """Taking out everything is a stable sort."""
    queue = filled(keys)
    assert [queue.del_min() for _ in keys] == sorted(range(len(keys)), key=lambda i: keys[i])
    assert queue.is_empty()


def test_equal_keys_go_by_index_whatever_the_history():
    """The order never depends on how the keys became equal."""
    queue = IndexMinPQ(6)
    for item in (4, 1, 5, 0, 3, 2):
        queue.insert(item, item * 7 % 5)
    for item in (2, 5, 0, 4, 1, 3):
        queue.change_key(item, 1.5)
    assert [queue.del_min() for _ in range(6)] == [0, 1, 2, 3, 4, 5]


def test_infinity_is_a_key_like_any_other():
    """An event that never happens stands last; minus infinity stands first."""
    queue = filled([math.inf, 0., -math.inf, math.inf])
    assert [queue.del_min() for _ in range(4)] == [2, 1, 0, 3]


@pytest.mark.parametrize("method", ["min_key", "min_index", "del_min"])
@pytest.mark.parametrize("capacity", [0, 3])
def test_an_empty_queue_has_no_minimum(method, capacity):
    """IndexError, also when something was in it before."""
    queue = IndexMinPQ(capacity)
    if capacity:
        queue.insert(2, 1.)
        queue.del_min()
    with pytest.raises(IndexError, match="the queue is empty"):
        getattr(queue, method)()


@pytest.mark.parametrize("method", ["insert", "change_key", "decrease_key", "increase_key"])
def test_nan_is_no_key(method):
    """ValueError, and the queue is as it was."""
    queue = filled([1., 2.])
    if method == "insert":
        queue.delete(1)
    with pytest.raises(ValueError, match="a key must not be NaN"):
        getattr(queue, method)(1, math.nan)
    queue.check()
    assert queue.size() == (1 if method == "insert" else 2) and queue.min_key() == 1.


@pytest.mark.parametrize("item", [-1, 2, 2**31, 2**80])
@pytest.mark.parametrize("method", ["insert", "change_key", "decrease_key", "increase_key", "delete", "contains", "key_of"])
def test_an_item_outside_the_capacity_is_an_index_error(method, item):
    """Negative numbers do not count from the end."""
    queue = filled([1., 2.])
    arguments = (item,) if method in ("delete", "contains", "key_of") else (item, 5.)
    with pytest.raises(IndexError, match=rf"item {item} is not in 0 \.\.\. 1"):
        getattr(queue, method)(*arguments)
    queue.check()


@pytest.mark.parametrize("method", ["change_key", "decrease_key", "increase_key", "delete", "key_of"])
def test_an_absent_item_is_a_key_error(method):
    """As for a dict."""
    queue = IndexMinPQ(3)
    queue.insert(0, 1.)
    with pytest.raises(KeyError, match="item 1 is not in the queue"):
        getattr(queue, method)(*((1,) if method in ("delete", "key_of") else (1, 5.)))
    queue.check()


def test_the_remaining_errors_say_what_was_wrong():
    """Twice in; not smaller; not larger; a capacity that is none."""
    queue = filled([1., 2.])
    with pytest.raises(ValueError, match="item 1 is in the queue already; use change_key"):
        queue.insert(1, 3.)
    for key in (2., 3.):
        with pytest.raises(ValueError, match=rf"key {key} of item 1 is not smaller than 2\.0"):
            queue.decrease_key(1, key)
    for key in (1., .5):
        with pytest.raises(ValueError, match=rf"key {key} of item 0 is not larger than 1\.0"):
            queue.increase_key(0, key)
    for capacity in (-1, 2**31):
        with pytest.raises(ValueError, match=f"capacity is {capacity}; it must be 0"):
            IndexMinPQ(capacity)
    assert (queue.key_of(0), queue.key_of(1)) == (1., 2.)


def test_an_item_is_a_whole_number():
    """1.5 is not item 1."""
    queue = filled([1., 2.])
    with pytest.raises(TypeError):
        queue.delete(1.5)
    with pytest.raises(TypeError):
        IndexMinPQ(1.5)
    queue.check()
    assert queue.size() == 2
