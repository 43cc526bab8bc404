"""What tests of a playback share."""
from scenes import trajectory
from test_viewer import TICK

from hdsim.reference.textbook_face import TextbookSystem


def ticks(playback, n, dt=TICK):
    """Times of the frames shown after each of n ticks."""
    times = []
    for _ in range(n):
        playback.tick(dt)
        times.append(playback.frame.time)
    return times


def seen(system):
    """All that two systems in the same state have in common, bit for bit."""
    if isinstance(system, TextbookSystem):
        return system.time, system.positions, system.velocities, system.statistics["events"]
    return trajectory(system)


def settle(playback):
    while playback.seeking:
        playback.tick(TICK)


def turn_disc(i):
    def action(system):
        with system.edit() as draft:
            draft.velocities[i % len(system)] = draft.velocities[i % len(system)][::-1] * -.75 + 1e-3
    return action
