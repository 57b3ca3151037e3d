"""Averages over rounds, with 95 % confidence intervals."""

from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

# The 97.5th percentile of Student's t distribution, by degrees of freedom from 1.
STUDENT_T = [
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
    2.120,
]


@dataclass
class Estimate:
    """The mean of one value from each round, and half the width of its 95 % confidence interval; None with one round."""

    mean: float
    margin: float | None

    def __str__(self):
        return f"{self.mean:.2f}" + ("" if self.margin is None else f" ± {self.margin:.2f}")


def estimate(values):
    values = list(values)
    freedom = len(values) - 1
    if freedom == 0:
        return Estimate(values[0], None)
    t = STUDENT_T[freedom - 1] if freedom <= len(STUDENT_T) else 2.0
    return Estimate(mean(values), t * stdev(values) / sqrt(len(values)))


def quotients(numerators, denominators):
    """The quotients of two lists, round by round."""
    return [a / b for a, b in zip(numerators, denominators, strict=True)]
