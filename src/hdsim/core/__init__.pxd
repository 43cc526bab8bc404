# cython: language_level=3, wraparound=False, cdivision=True
"""The floors of the engine: structs and inline functions that know their parameters, and never the engine."""
