"""Which seeds the networks of a study have."""

from __future__ import annotations

from orderedness import _checks

# Networks of one seed of a study; another seed starts behind them, so no network is shared.
NETWORKS_A_SEED = 2**20
_SEEDS = 2**32 // NETWORKS_A_SEED


def study_seeds(networks: int, seed: int = 0) -> range:
    """The seeds of networks 0, 1, ... of a study: network i of seed s has s * 2**20 + i.

    Args:
        networks: how many, at most 2**20.
        seed: seed of the study, 0 to 4095; two of them have no network in common.

    Examples:
        >>> study_seeds(3), study_seeds(3, seed=2)
        (range(0, 3), range(2097152, 2097155))
    """
    if _checks.whole("networks", networks, least=1) > NETWORKS_A_SEED:
        raise ValueError(f"networks is {networks}, but must be at most {NETWORKS_A_SEED}")
    if _checks.whole("seed", seed, least=0) >= _SEEDS:
        raise ValueError(f"seed is {seed}, but must be a whole number from 0 to {_SEEDS - 1}")
    start = int(seed) * NETWORKS_A_SEED
    return range(start, start + int(networks))
