"""Parallel efficiency of a sweep: the time of one worker over (workers x time of so many), in one run of this script.

    python benchmarks/scaling.py threads processes dask --workers 2
    mpiexec -n 3 python -m mpi4py.futures benchmarks/scaling.py mpi         # 3 ranks: two work

Sixteen replicas of 200 discs at packing fraction 0.4. Starting the workers is not counted: each has run a replica before.
"""
import argparse
import contextlib
import math
import time

import hdsim


def fluid(seed):
    return hdsim.random(200, radius=math.sqrt(0.4 / (200 * math.pi)), temperature=1.0, mass=1.0, seed=seed,
                        box=hdsim.Box(1, 1, periodic=(True, True)))


@contextlib.contextmanager
def executor(name, workers):
    if name == "threads":
        from concurrent.futures import ThreadPoolExecutor as Pool
    elif name == "processes":
        from concurrent.futures import ProcessPoolExecutor as Pool
    elif name == "mpi":
        from mpi4py.futures import MPIPoolExecutor as Pool
    else:
        from dask.distributed import Client, LocalCluster
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            yield client.get_executor(pure=False)
        return
    with Pool(workers) as pool:
        yield pool


def seconds(name, workers, until):
    with executor(name, workers) as pool:
        hdsim.sweep(fluid, {}, range(100, 100 + 2 * workers), hdsim.Pressure(), until=1, executor=pool)
        start = time.perf_counter()
        hdsim.sweep(fluid, {}, 16, hdsim.Pressure(), until=until, executor=pool)
        return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=["threads", "processes", "dask", "mpi"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--until", type=float, default=20.0)
    options = parser.parse_args()
    for name in options.names:
        # Alternating, the best of three: other load comes and goes.
        pairs = [(seconds("threads", 1, options.until), seconds(name, options.workers, options.until)) for _ in range(3)]
        one, many = (min(times) for times in zip(*pairs))
        efficiency = one / many / options.workers
        print(f"{name:10} {options.workers} workers: {one:.2f} s on one, {many:.2f} s, efficiency {efficiency:.0%}", flush=True)


if __name__ == "__main__":
    main()
