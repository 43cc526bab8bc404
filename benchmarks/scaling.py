"""Parallel efficiency of a sweep: the time of one worker over (workers x time of so many), in one run of this script.

    python benchmarks/scaling.py threads processes dask --workers 2
    mpiexec -n 3 python -m mpi4py.futures benchmarks/scaling.py mpi         # 3 ranks: two work
    python benchmarks/scaling.py processes --short 100000 --batch 1000

Sixteen replicas of 200 discs at packing fraction 0.4. Starting the workers is not counted: each has run a replica before. With
--short, so many replicas of five discs instead, with files, in batches: seconds, files, and the growth of this process.
"""
import argparse
import contextlib
import math
import os
import resource
import tempfile
import time

import numpy as np

import hdsim

FIVE = np.array([[.2, .2], [.8, .2], [.5, .5], [.2, .8], [.8, .8]])     # places of the discs of a short replica
MIB = 2**20 / 1024      # in the units of ru_maxrss


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


def five(seed):
    """Five discs in a box, with velocities of this seed."""
    return hdsim.CollisionSystem.from_arrays(FIVE, np.random.default_rng(seed).normal(size=(5, 2)), .1)


def short(name, workers, replicas, batch):
    """Print what many short replicas need: some 40 contacts each, then their pressure."""
    def sweep(seeds, **options):
        start = time.perf_counter()
        found = hdsim.sweep(five, {}, seeds, hdsim.Pressure(), max_events=40, executor=pool, **options)
        return found, time.perf_counter() - start

    with executor(name, workers) as pool, tempfile.TemporaryDirectory() as folder:
        sweep(range(replicas, replicas + 2 * workers))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found, took = sweep(replicas, batch=batch, checkpoint_dir=folder)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / MIB
        files = [entry.stat().st_size for entry in os.scandir(folder)]
        again = sweep(replicas, batch=batch, checkpoint_dir=folder)[1]
    print(f"{name:10} {workers} workers: {len(found):,} replicas in {took:.1f} s, {took / replicas * 1e3:.2f} ms each; "
          f"{len(files):,} files of {sum(files) / 2**20:.1f} MiB; this process has grown by {grown:.0f} MiB, the table has "
          f"{found.rows.nbytes / 2**20:.0f}; read again in {again:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=["threads", "processes", "dask", "mpi"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--until", type=float, default=20.0)
    parser.add_argument("--short", type=int, metavar="N", help="so many replicas of five discs")
    parser.add_argument("--batch", type=int, default=1000, help="replicas in a batch of --short")
    options = parser.parse_args()
    if options.short:
        for name in options.names:
            short(name, options.workers, options.short, options.batch)
        return
    for name in options.names:
        # Alternating, the best of three: other load comes and goes.
        pairs = [(seconds("threads", 1, options.until), seconds(name, options.workers, options.until)) for _ in range(3)]
        one, many = (min(times) for times in zip(*pairs))
        efficiency = one / many / options.workers
        print(f"{name:10} {options.workers} workers: {one:.2f} s on one, {many:.2f} s, efficiency {efficiency:.0%}", flush=True)


if __name__ == "__main__":
    main()
