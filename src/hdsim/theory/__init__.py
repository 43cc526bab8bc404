"""Closed formulas of the hard-disc gas, to compare measurements with. Knows no system, no engine and no file.

Arguments are floats or arrays that broadcast; the result is a float if all of them are floats. Units are arbitrary but must be
consistent: kT is an energy, `eta` the packing fraction (area of the discs / area), `n` a number of discs, `density` discs / area.
In formulas a is a radius, m a mass, N a number of discs. Bad arguments raise ValueError. docs/theory.md lists every formula with
its source and accuracy.

`freedom` is the number D of independent velocity components that share the energy (see `degrees_of_freedom`). A system at
constant energy differs from Maxwell's distribution by terms of order 1/D, which are exact here. The default, infinity, means
Maxwell's distribution. kT always stands for 2 E / D.

The formulas are those of discs. Some take the dimension d, 2 unless it is given; `spheres` has the others for three dimensions.
"""
from __future__ import annotations

from ..model.configuration import K_B
from . import spheres
from .arguments import Values
from .collisions import (collision_rate, drift_factor, free_path_moment, free_path_pdf, free_time_moment, free_time_pdf,
                         mean_free_path, mean_free_time, missed_share, pair_collision_rate, periodic_mean_free_path,
                         rate_correction, rate_error, speed_collision_rate, wall_collision_rate)
from .cooling import clustering_length, granular_kurtosis, haff_collisions, haff_temperature, haff_time
from .densities import number_density, packing_fraction, thermal_energy
from .distributions import (component_cdf, component_pdf, energy_cdf, energy_pdf, mean_speed, most_probable_speed, rms_speed,
                            speed_cdf, speed_pdf)
from .equations import (CLOSE_PACKING, CORRECTION_LIMIT, DENSE_FLUID, EQUATIONS, FIT_ERROR, FREEZING, KOLAFA_ROTTNER_LIMIT,
                        VIRIAL_COEFFICIENTS, VIRIAL_ERRORS, compressibility_error, compressibility_factor, contact_value,
                        ensemble_correction, inverse_compressibility, tonks_collision_rate, tonks_compressibility_factor)
from .falling import bounce_time, floor_rate, mean_height, persistent_variance, resting_time, sediment_density
from .few_discs import (degrees_of_freedom, energy_moment, equipartition, kinetic_temperature, kurtosis_relaxation,
                        momentum_transfer_moment, speed_factor, velocity_kurtosis)
from .mixtures import (mixture_collision_rates, mixture_compressibility_factor, mixture_contact_values, mixture_diffusion,
                       mixture_inverse_compressibility)
from .norms import norm_collision_rate, norm_compressibility_factor
from .pistons import (adiabatic_temperature, compression_entropy, excess_free_energy, hard_piston_moments, piston_mean,
                      piston_pdf, piston_variance)
from .slits import (effusion_rate, fast_effusion_power, fast_effusion_rate, pipe_mixing_rates, pipe_transmission,
                    slit_mixing_rate, slit_relaxation_rate)
from .transport import (brownian_relaxation_time, einstein_diffusion, enskog_bulk_viscosity, enskog_conductivity,
                        enskog_diffusion, enskog_viscosity, mean_squared_displacement, mixing_diffusion, reflected_square,
                        vacf_enskog, vacf_tail)
from .walls import (WALLED_PAIRS_ERROR, WALL_ERROR, accessible_area, bulk_density, mean_wall_pressure,
                    noninteracting_wall_pressures, single_disc_wall_rate, two_disc_collision_rate, virial_from_wall_pressures,
                    wall_pressures, walled_collision_rates, walled_free_flight, walled_pair_error)

__all__ = [
    "K_B", "Values", "packing_fraction", "number_density", "thermal_energy", "CLOSE_PACKING", "KOLAFA_ROTTNER_LIMIT",
    "DENSE_FLUID", "CORRECTION_LIMIT", "FREEZING", "FIT_ERROR", "VIRIAL_COEFFICIENTS", "VIRIAL_ERRORS", "EQUATIONS",
    "contact_value", "compressibility_factor", "inverse_compressibility", "ensemble_correction", "compressibility_error",
    "tonks_compressibility_factor", "tonks_collision_rate", "degrees_of_freedom", "kinetic_temperature", "speed_factor",
    "momentum_transfer_moment", "energy_moment", "equipartition", "velocity_kurtosis", "kurtosis_relaxation", "energy_pdf",
    "energy_cdf", "speed_pdf", "speed_cdf", "component_pdf", "component_cdf", "rms_speed", "mean_speed", "most_probable_speed",
    "pair_collision_rate", "collision_rate", "mean_free_time", "mean_free_path", "missed_share", "periodic_mean_free_path",
    "drift_factor", "rate_correction", "rate_error", "wall_collision_rate", "speed_collision_rate", "free_time_moment",
    "free_path_moment", "free_time_pdf", "free_path_pdf", "single_disc_wall_rate", "accessible_area",
    "noninteracting_wall_pressures", "bulk_density", "wall_pressures", "mean_wall_pressure", "virial_from_wall_pressures",
    "walled_collision_rates", "two_disc_collision_rate", "WALL_ERROR", "WALLED_PAIRS_ERROR", "walled_pair_error",
    "walled_free_flight", "mixture_compressibility_factor", "mixture_contact_values", "mixture_collision_rates",
    "mixture_inverse_compressibility", "norm_compressibility_factor", "norm_collision_rate", "enskog_bulk_viscosity",
    "enskog_conductivity", "enskog_diffusion", "enskog_viscosity", "vacf_enskog", "vacf_tail", "mean_squared_displacement",
    "mixing_diffusion", "reflected_square",
    "brownian_relaxation_time", "einstein_diffusion", "effusion_rate", "fast_effusion_rate", "fast_effusion_power",
    "slit_relaxation_rate", "slit_mixing_rate",
    "granular_kurtosis", "haff_time", "haff_temperature", "haff_collisions", "clustering_length", "piston_pdf", "piston_mean",
    "piston_variance", "hard_piston_moments", "excess_free_energy", "adiabatic_temperature", "compression_entropy",
    "mean_height", "floor_rate", "sediment_density", "bounce_time", "resting_time", "persistent_variance",
    "mixture_diffusion", "pipe_transmission", "pipe_mixing_rates", "spheres",
]


def __dir__() -> list[str]:
    return sorted(__all__)
