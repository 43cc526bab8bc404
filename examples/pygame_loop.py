"""hdsim in a pygame program: the loop is yours, hdsim only moves the discs.

    pip install hdsim pygame-ce
    python examples/pygame_loop.py

Click to push the discs away from the mouse; space turns all velocities round: the gas runs back to where it came from.
"""
import sys

import numpy as np
import pygame

import hdsim

SIZE = 600              # pixels, of a box of side 1
FRAMES_PER_SECOND = 60
SPEED = 0.5             # simulated time units per second


def push(system, place):
    """Away from a place in the box, the more the nearer. `edit` checks the new state and predicts anew."""
    with system.edit() as draft:
        away = draft.positions - place
        draft.velocities += 0.1 * away / (0.01 + (away**2).sum(axis=1, keepdims=True))


def draw(screen, system):
    screen.fill("white")
    hottest = 2.5 * np.sqrt(2 * system.temperature)
    speeds = np.sqrt((system.velocities**2).sum(axis=1))
    pixels = system.positions * (SIZE, -SIZE) + (0, SIZE)       # pygame's y goes down
    for place, radius, heat in zip(pixels, SIZE * system.radii, np.minimum(speeds / hottest, 1)):
        pygame.draw.circle(screen, (40 + 200 * heat, 90, 220 - 180 * heat), place, radius)
    pygame.display.flip()


def main(frames=float("inf")):
    """frames: end after so many; else when the window is closed."""
    pygame.display.init()        # all that is needed here: no sound
    screen = pygame.display.set_mode((SIZE, SIZE))
    pygame.display.set_caption("hdsim in pygame")
    clock = pygame.time.Clock()
    system = hdsim.random(150, radius=0.02, temperature=0.1, mass=1.0, seed=1)
    while frames > 0:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                frames = 0
            elif event.type == pygame.MOUSEBUTTONDOWN:
                push(system, (event.pos[0] / SIZE, 1 - event.pos[1] / SIZE))
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_SPACE:
                system.reverse()
        # max_seconds is what a frame can spare: a gas that is too much for it runs slower, and the window never hangs.
        system.step(SPEED / FRAMES_PER_SECOND, max_seconds=0.01)
        draw(screen, system)
        clock.tick(FRAMES_PER_SECOND)
        frames -= 1
    pygame.quit()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
