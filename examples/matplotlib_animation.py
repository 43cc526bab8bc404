"""hdsim in a matplotlib animation: the discs, and how their speeds become those of Maxwell and Boltzmann.

    pip install hdsim matplotlib
    python examples/matplotlib_animation.py             # a window
    python examples/matplotlib_animation.py gas.gif     # a film
"""
import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation
from matplotlib.collections import EllipseCollection

import hdsim

FRAMES = 120
DT = 0.003              # simulated time units between frames
BINS = np.linspace(0, 3.5, 29)


def gas():
    """All discs begin with the same speed, that of temperature 1."""
    system = hdsim.random(400, radius=0.012, temperature=1.0, mass=1.0, seed=2)
    with system.edit() as draft:
        draft.velocities *= np.sqrt(2) / np.linalg.norm(draft.velocities, axis=1, keepdims=True)
    return system


def animation(system, frames=FRAMES):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.5), layout="constrained")
    left.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=[], yticks=[])
    size = 2 * system.radii
    discs = EllipseCollection(size, size, 0, units="xy", offsets=system.positions, offset_transform=left.transData,
                              cmap="viridis", clim=(0, BINS[-1]))
    left.add_collection(discs)
    *_, bars = right.hist([], BINS, color="0.75", label="discs")
    v = np.linspace(0, BINS[-1], 200)
    right.plot(v, v * np.exp(-v**2 / 2), color="C3", label="Maxwell and Boltzmann")
    right.set(xlabel="speed", ylabel="probability density", ylim=(0, 1.2), xlim=(0, BINS[-1]))
    right.legend(loc="upper right", frameon=False)

    def draw(frame):
        if frame > 0:
            system.step(DT)
        speeds = np.linalg.norm(system.velocities, axis=1)
        discs.set_offsets(system.positions)
        discs.set_array(speeds)
        for bar, height in zip(bars, np.histogram(speeds, BINS, density=True)[0]):
            bar.set_height(height)
        left.set_title(f"t = {system.time:.2f}")

    # Without init_func, matplotlib would draw frame 0 once more for it.
    return FuncAnimation(figure, draw, frames, init_func=lambda: None, interval=33, repeat=False)


def main(path=None, frames=FRAMES):
    """path: write a film there instead of opening a window."""
    film = animation(gas(), int(frames))
    if path is None:
        plt.show()
    else:
        film.save(path, fps=30)


if __name__ == "__main__":
    main(*sys.argv[1:])
