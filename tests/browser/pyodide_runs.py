"""Runs whose hashes are the same in Pyodide as on the machine: executed in both, it prints them as JSON.

10^5 events of six systems, and how long a run of 0.2 s takes; what this machine lacks, as it says so."""
import json
import sys
import time

import hdsim

EVENTS = 100_000
SYSTEMS = {
    "billiards5": lambda: hdsim.load("billiards5"),
    "vessels": lambda: hdsim.load("vessels"),
    "brownian": lambda: hdsim.load("brownian"),
    "gas of 1000": lambda: hdsim.random(1000, seed=1),
    "periodic channel": lambda: hdsim.random(500, radius=.01, temperature=1., seed=2, box=hdsim.Box(2, 1, (True, False))),
    "dense mixture": lambda: hdsim.states.compressed([1.] * 100 + [2.] * 50, .7, seed=3).system(temperature=1., seed=4),
}


def refusal(call):
    """What a call says that this machine cannot do; None if it can."""
    try:
        call()
    except Exception as error:
        return str(error)


def report():
    found = {}
    for name, make in SYSTEMS.items():
        system = make()
        system.simulate(max_events=EVENTS)
        found[name] = [system.hash(), system.time.hex(), system.positions.tobytes().hex()[:64]]
    system = hdsim.random(1000, seed=5)
    system.simulate(max_events=1000)
    began = time.perf_counter()
    system.simulate(max_seconds=.2)
    limited = time.perf_counter() - began
    lacks = {}
    if sys.platform == "emscripten":
        from hdsim.app.cli import main

        lacks = {"ensemble": refusal(lambda: hdsim.ensemble(hdsim.random, 2, hdsim.Pressure(), until=1.)),
                 "sweep": refusal(lambda: hdsim.sweep(lambda seed, n: hdsim.random(n, seed=seed), {"n": [5]}, 2, hdsim.Pressure(),
                                                      until=1.)),
                 "show": refusal(lambda: hdsim.show(system)), "snapshot": refusal(lambda: hdsim.snapshot(system)),
                 "live": refusal(lambda: hdsim.live(system)), "command line": main(["p10", "--until", "5"]),
                 "browser": main(["p10", "--browser"])}
    return {"platform": sys.platform, "runs": found, "limited": limited, "lacks": lacks, "pyglet": "pyglet" in sys.modules}


if __name__ == "__main__":
    print(json.dumps(report()))
