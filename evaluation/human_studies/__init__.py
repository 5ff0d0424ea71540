"""Human studies: sample, cost, power, preregistration, attention checks, exclusions and protocol deviations."""
