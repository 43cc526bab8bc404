"""The named data sets as text files, written by `hdsim.datasets`."""
