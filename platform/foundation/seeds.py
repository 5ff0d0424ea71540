"""Random numbers that can be had again: one seed and a path of names give one generator."""

import hashlib

import numpy as np


def generator(seed: int, *path: object) -> np.random.Generator:
    """A generator for `path` under `seed`. Equal arguments give equal draws, on every machine."""
    name = "/".join(str(part) for part in (seed, *path))
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))
