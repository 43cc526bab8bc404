"""hdsim in an asyncio program: events as they come, beside everything else that the loop does.

    python examples/asyncio_loop.py
"""
import asyncio

import hdsim


async def referee(system):
    """Looks at every event of the run, hundreds of thousands per second, and counts."""
    counts = {}
    async for event in hdsim.aevents(system, until=20):
        counts[event.kind] = counts.get(event.kind, 0) + 1
    return counts


async def reporter(system):
    """Has its turn every tenth of a second, whatever the discs do."""
    while True:
        await asyncio.sleep(0.1)
        print(f"t = {system.time:6.2f}  kinetic energy {system.kinetic_energy:.6f}")


async def main():
    system = hdsim.random(500, radius=0.01, temperature=1.0, mass=1.0, seed=1)
    report = asyncio.create_task(reporter(system))
    print(await referee(system))
    report.cancel()


if __name__ == "__main__":
    asyncio.run(main())
