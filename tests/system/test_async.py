"""hdsim.aevents: the events of `system.events`, in a loop that goes on turning. Independent of it: runs without a loop."""
import asyncio
import math
import signal
import time

import numpy as np
import pytest
from scenes import TORUS, at_most, gas, trajectory

import hdsim


def run(coroutine):
    with at_most(30):
        return asyncio.run(coroutine)


async def heartbeat(ticks):
    """Notes the time of each turn of the loop."""
    while True:
        ticks.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0)


async def listed(system, **options):
    return [event async for event in hdsim.aevents(system, **options)]


def test_the_events_are_those_of_a_run_without_a_loop():
    """All of them, equal, callbacks called; then `time` is `until`."""
    alone, here = gas(), gas()
    seen = []
    here.on_collision(seen.append)
    events = run(listed(here, until=1.5, budget=1e-4))
    assert events == seen == list(alone.events(until=1.5)) and len(events) > 300
    assert here.time == 1.5 and trajectory(here) == trajectory(alone)


def test_two_systems_in_one_loop_do_not_touch_each_other():
    """Side by side, each as alone."""
    async def both():
        await asyncio.gather(*(listed(system, until=5., budget=1e-3) for system in systems))

    systems = [gas(seed=1), gas(seed=2)]
    run(both())
    for seed, system in enumerate(systems, 1):
        alone = gas(seed=seed)
        alone.simulate(5.)
        assert trajectory(system) == trajectory(alone)


def test_the_loop_has_its_turn():
    """While a run goes on, others wait about as long as the budget: half of the turns come within four of them."""
    async def watched():
        ticks = []
        beat = asyncio.create_task(heartbeat(ticks))
        await listed(gas(200, radius=.01), until=12., budget=.005)
        beat.cancel()
        return ticks

    gaps = np.diff(run(watched()))
    assert len(gaps) > 10 and np.median(gaps) < .02


def test_the_loop_has_its_turn_where_nothing_happens():
    """Points on a torus cross cells, and never meet: there is no event to wait for."""
    async def watched():
        ticks = []
        beat = asyncio.create_task(heartbeat(ticks))
        assert await listed(system, until=3.) == []
        beat.cancel()
        return ticks

    system = points(10_000)
    assert len(run(watched())) > 10 and system.time == 3


def points(n):
    """On a torus; they cross cells, and never meet."""
    draw = np.random.default_rng(1)
    return hdsim.CollisionSystem.from_arrays(draw.random((n, 2)), draw.normal(size=(n, 2)), 0., box=TORUS)


def test_it_ends_where_nothing_will_ever_happen():
    """As `next_event` says None: also if to see that takes longer than the budget, and for more discs than are compared pair
    by pair."""
    for system, budget in ((points(300), 1e-9), (points(3500), .005)):
        alone = system.copy()
        with at_most(30):
            assert alone.next_event() is None
        assert run(listed(system, budget=budget)) == [] and system.time == alone.time == 0


def closed_orbits():
    """Two discs on a torus, one at rest and one on a closed diagonal that never comes near it; no run ends by itself."""
    return hdsim.CollisionSystem.from_arrays([[.1, .2], [.6, .7]], [[1, .5], [0, 0]], .001, box=TORUS)


def test_orbits_that_never_meet_can_be_left():
    """By cancellation and by Ctrl-C, at once; the system goes on from where it is."""
    async def limited():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(listed(system), .05)

    async def interrupted():
        asyncio.get_running_loop().call_later(.05, signal.raise_signal, signal.SIGINT)
        await listed(system)

    system, began = closed_orbits(), time.monotonic()
    run(limited())
    with pytest.raises(KeyboardInterrupt):
        run(interrupted())
    assert time.monotonic() - began < 5
    assert system.simulate(until=7.) == 0 and system.time == 7 and np.allclose(system.positions[0], (.1, .7))


def test_a_cancelled_task_leaves_the_system_whole():
    """It stands at an event, as a run of so many events, and goes on as if nothing had been."""
    async def cancelled():
        task = asyncio.create_task(listed(system, until=1e6))
        await asyncio.sleep(.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    system, other = gas(), gas()
    run(cancelled())
    count = system.statistics["events"]
    assert 0 < system.time < 1e6
    other.simulate(max_events=count)
    assert trajectory(system) == trajectory(other)
    assert system.simulate(until=system.time + 2) == other.simulate(until=other.time + 2)
    assert trajectory(system) == trajectory(other)


def test_break_and_stop_end_it():
    """`break` after the tenth event; a callback that returns STOP at the twentieth; an exception in a callback comes out."""
    async def ten():
        count = 0
        async for _ in hdsim.aevents(system):
            count += 1
            if count == 10:
                break

    system = gas()
    run(ten())
    assert system.statistics["events"] == 10
    stop = system.on_collision(lambda event: hdsim.STOP if system.statistics["events"] == 20 else None)
    assert len(run(listed(system))) == 10
    stop.cancel()
    system.on_collision(lambda event: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(listed(system))
    assert system.statistics["events"] == 21


def test_others_may_change_the_system_between_events():
    """The next event is that of the changed system."""
    async def edited():
        events = hdsim.aevents(system)
        await anext(events)
        system.reverse()
        expected = system.peek()
        assert await anext(events) == expected
        await events.aclose()

    system = gas()
    run(edited())
    assert system.statistics["events"] == 2


@pytest.mark.parametrize("options, message", [
    ({"budget": 0}, "budget is 0; it must be a positive number of seconds"),
    ({"budget": math.inf}, "budget is inf"),
    ({"until": -1.}, "until is -1.0, before the present time 0.0"),
    ({"until": math.nan}, "until is nan"),
])
def test_wrong_arguments_are_refused_at_once(options, message):
    """By the call, not by the first event."""
    with pytest.raises(ValueError, match=message):
        hdsim.aevents(gas(), **options)
