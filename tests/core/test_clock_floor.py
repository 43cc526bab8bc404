"""The clock of an engine (core/clock.pxd): sums of two doubles, against fractions."""
import math
from fractions import Fraction

import pytest

EPSILON = 2.**-52
BITS_100 = Fraction(1, 2**100)


def exact(pair):
    """The number that two doubles stand for."""
    return sum(map(Fraction, pair))


def two_doubles(draw, exponent):
    """A double of about 2^exponent, of any sign, and a low part of at most half a unit in its last place."""
    high = math.ldexp(draw.choice([-1, 1]) * draw.uniform(.5, 1), exponent)
    return high, math.ulp(high) * draw.uniform(-.5, .5)


def origin_of(clock):
    return clock.fields["origin"], clock.fields["origin_low"]


def now_of(clock):
    return clock.fields["now"], clock.fields["now_low"]


def exact_now(clock):
    """The time of the present."""
    return exact(origin_of(clock)) + exact(now_of(clock))


@pytest.fixture
def clocks(probe, draw):
    """Clocks whose origin is 0 or between 2^-40 and 2^60, of any sign, with a low part; the present is up to 2^20 later."""
    found = [probe.EngineClock(0., 0., 5., 2.**-52)]
    for _ in range(200):
        now, now_low = two_doubles(draw, draw.randint(-40, 20))
        found.append(probe.EngineClock(*two_doubles(draw, draw.randint(-40, 60)), abs(now), now_low))
    return found


def times_near(draw, clock):
    """Times at the origin, beside it and far from it, on both sides."""
    origin, low = origin_of(clock)
    yield from (origin, math.nextafter(origin, math.inf), math.nextafter(origin, -math.inf), origin + low)
    for _ in range(8):
        yield origin + math.ldexp(draw.uniform(-1, 1), draw.randint(-60, 60))
        yield origin * draw.uniform(.5, 2)


# time and clock

def test_the_time_at_a_clock_is_the_nearest_double(clocks, draw):
    """Of origin + clock + their low parts, also where they cancel: within half a unit in the last place of the result, but for
    ties, and for parts below 2^-100 of the larger."""
    for clock in clocks:
        origin = origin_of(clock)
        for at in (two_doubles(draw, draw.randint(-60, 60)), (-origin[0], draw.choice([0., -origin[1], origin[1]]))):
            right = exact(origin) + exact(at)
            found = Fraction(clock.time_at(*at))
            most = Fraction(math.ulp(float(right))) * (Fraction(1, 2) + Fraction(1, 2**40))
            assert abs(found - right) <= most + BITS_100 * max(abs(Fraction(origin[0])), abs(Fraction(at[0])))


def test_a_time_as_a_clock_and_back_is_the_same_double(clocks, draw):
    """And the clock is time - origin to 100 bits, in two doubles of which the first is the nearest to it."""
    for clock in clocks:
        for time in times_near(draw, clock):
            high, low = at = clock.clock_at(time)
            largest = max(abs(Fraction(time)), abs(exact(origin_of(clock))))
            assert abs(exact(at) - (Fraction(time) - exact(origin_of(clock)))) <= BITS_100 * largest
            assert high + low == high
            assert clock.time_at(high, low) == time


def test_the_last_clock_is_the_largest_that_is_not_beyond_a_time(clocks, draw, probe):
    """The next double belongs to a later time; also where origin and clock cancel, and beside an origin at 0."""
    for clock in [*clocks, probe.EngineClock(0., 0.), probe.EngineClock(1., 2.**-54)]:
        for time in (*times_near(draw, clock), 0., 2.**-60, -2.**-60):
            last = clock.last_clock(time)
            assert clock.time_at(last) <= time < clock.time_at(math.nextafter(last, math.inf))


def test_the_last_clock_of_a_coarse_time_lies_far_beyond_the_clock_of_it(probe):
    """Times near 2^60 are 256 apart: all clocks that round to one of them are up to it."""
    clock = probe.EngineClock(2.**60, 0.)
    assert clock.clock_at(2.**60 + 256) == (256., 0.)
    assert 383.99 < clock.last_clock(2.**60 + 256) <= 384.


@pytest.mark.parametrize("time", [math.inf, -math.inf])
def test_the_last_clock_of_an_infinite_time_is_infinite(probe, time):
    assert probe.EngineClock(3., 0.).last_clock(time) == time


# the present

def test_the_present_never_goes_back(probe, draw):
    """It is the latest of all that it was set to and, at an event, not before that event; by both parts of the clock."""
    for _ in range(50):
        clock, latest = probe.EngineClock(), (0., 0.)
        for _ in range(60):
            at = draw.choice([latest[0], draw.uniform(0, 5)]), draw.choice([0., 1e-20, -1e-20])
            if draw.random() < .2:
                event = latest[0] + draw.choice([0., draw.uniform(0, 1)])
                clock.execute(event)
                latest = max(latest, (event, 0.))
                assert clock.fields["event_time"] == clock.fields["current"] == event
            clock.set_now(*at)
            latest = max(latest, at)
            assert now_of(clock) == latest


def test_contacts_are_counted_until_the_origin_moves(probe):
    clock = probe.EngineClock(1., 0., 0., 0., 0., 7)
    clock.execute(2.)
    clock.execute(2.5)
    assert clock.fields["since_rebase"] == 9
    clock.rebase(2.5, 0.)
    assert clock.fields["since_rebase"] == 0


# the origin

def test_a_moved_origin_keeps_the_time_of_the_present(clocks, draw):
    """Within one rounding of the present as a clock, or 100 bits of the origin; the event time within one rounding as well."""
    for clock in clocks:
        before, (now, _), origin = exact_now(clock), now_of(clock), origin_of(clock)
        event, at = now * draw.uniform(0, 1), (now * draw.uniform(0, 1.5), now * EPSILON * draw.uniform(-.5, .5))
        clock.execute(event)
        clock.rebase(*at)
        moved = exact(origin) + exact(at)
        assert abs(exact(origin_of(clock)) - moved) <= BITS_100 * max(abs(Fraction(origin[0])), abs(Fraction(at[0])))
        assert clock.fields["origin"] == float(moved) or abs(moved) < BITS_100
        most = math.ulp(now) + BITS_100 * max(abs(Fraction(origin[0])), abs(Fraction(at[0])))
        assert abs(exact_now(clock) - before) <= most
        assert abs(Fraction(clock.fields["event_time"]) - (Fraction(event) - Fraction(at[0]))) <= math.ulp(now)


def test_an_origin_moved_to_the_present_makes_that_zero(clocks):
    """As the engine moves it; the time that is reported stays the same double."""
    for clock in clocks:
        before, time = exact_now(clock), clock.time_at(*now_of(clock))
        clock.rebase(*now_of(clock))
        assert now_of(clock) == (0., 0.) and clock.time_at(0.) == time
        assert abs(exact(origin_of(clock)) - before) <= BITS_100 * (abs(before) + Fraction(2)**20)


def test_a_clock_begins_at_the_present_of_another(clocks, probe):
    """Which becomes its origin; the other clock stays as it is."""
    for clock in clocks:
        before, fields = exact_now(clock), clock.fields
        other = probe.EngineClock()
        other.begin(clock)
        assert abs(exact(origin_of(other)) - before) <= BITS_100 * (abs(before) + Fraction(2)**20)
        assert other.time_at(0.) == clock.time_at(*now_of(clock)) and clock.fields == fields


# the end of a run

def target_of(end):
    return end["target"], end["target_low"]


def test_a_run_until_a_time_ends_there(clocks, draw):
    """Its target is the clock of that time, and its horizon the last clock of it: an event that is reported at that time is
    executed, a later one is not."""
    for clock in clocks:
        for time in times_near(draw, clock):
            end = clock.end_at(time)
            assert end["until"] == time == clock.time_at(*target_of(end))
            assert clock.time_at(end["horizon"]) <= time < clock.time_at(math.nextafter(end["horizon"], math.inf))


def test_a_run_until_infinity_has_no_horizon(probe):
    end = probe.EngineClock(3., 0., 1., 0.).end_at(math.inf)
    assert end == {"until": math.inf, "target": math.inf, "target_low": 0., "horizon": math.inf}


def test_a_run_of_some_time_ends_that_much_later(clocks, draw):
    """However coarse the time is: the target is the present + dt to 100 bits, and the horizon the last double up to it."""
    for clock in clocks:
        for dt in (0., math.ldexp(draw.uniform(.5, 1), draw.randint(-60, 30)), now_of(clock)[0] * EPSILON / 8):
            end = clock.end_after(dt)
            target = exact(target_of(end))
            assert abs(target - exact(now_of(clock)) - Fraction(dt)) <= BITS_100 * (Fraction(now_of(clock)[0]) + Fraction(dt))
            assert Fraction(end["horizon"]) <= target < Fraction(math.nextafter(end["horizon"], math.inf))
            assert math.isnan(end["until"])


def test_a_moved_origin_keeps_the_end_of_a_run(clocks, draw):
    """In time; its horizon is that of the moved clock."""
    for clock in clocks:
        at = now_of(clock)
        for end in (clock.end_at(clock.time_at(*at) + 1.5), clock.end_after(draw.uniform(0, 3))):
            before = exact(origin_of(clock)) + exact(target_of(end))
            largest = abs(before) + abs(exact(at)) + abs(exact(target_of(end)))
            clock.rebase(*at)
            moved = clock.end_rebase(end, *at)
            assert abs(exact(origin_of(clock)) + exact(target_of(moved)) - before) <= 4 * BITS_100 * largest + (
                Fraction(math.ulp(moved["target"])))
            if math.isnan(end["until"]):
                last, target = moved["horizon"], exact(target_of(moved))
                assert math.isnan(moved["until"]) and Fraction(last) <= target < Fraction(math.nextafter(last, math.inf))
            else:
                assert moved == clock.end_at(end["until"])
            at = now_of(clock)


def test_the_end_of_a_run_goes_on_for_a_clock_that_begins_at_the_present(clocks, probe, draw):
    """The rest of the run is as long as it was, and a run until a time still ends at that time."""
    for clock in clocks:
        for end in (clock.end_at(clock.time_at(*now_of(clock)) + 1.5), clock.end_after(draw.uniform(0, 3))):
            rest = exact(target_of(end)) - exact(now_of(clock))
            begun = clock.end_begin(end)
            assert abs(exact(target_of(begun)) - rest) <= math.ulp(end["target"]) * EPSILON + Fraction(math.ulp(begun["target"]))
            assert begun["until"] == end["until"] or math.isnan(begun["until"]) and math.isnan(end["until"])
