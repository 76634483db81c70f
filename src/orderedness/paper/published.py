"""The paper's Table 1 as printed: mean and standard deviation over ten networks."""

from __future__ import annotations

ROWS = (
    "default",
    "uniform_weights",
    "zero_values",
    "random",
    "topk",
    "dynamic_topk",
    "tril_damp",
    "dynamic_tril_damp",
)
COLUMNS = ("none", "xor", "sine")
UNTRAINED_ORDEREDNESS = "untrained_orderedness"

# Change of orderedness, except in the column `untrained_orderedness`, which is O itself.
TABLE1: dict[tuple[str, str], tuple[float, float]] = {
    ("default", UNTRAINED_ORDEREDNESS): (0.672, 0.050),
    ("default", "xor"): (0.032, 0.047),
    ("default", "sine"): (0.023, 0.033),
    ("uniform_weights", UNTRAINED_ORDEREDNESS): (0.647, 0.045),
    ("uniform_weights", "xor"): (0.075, 0.057),
    ("uniform_weights", "sine"): (0.076, 0.039),
    ("zero_values", UNTRAINED_ORDEREDNESS): (0.680, 0.070),
    ("zero_values", "xor"): (0.049, 0.078),
    ("zero_values", "sine"): (-0.004, 0.030),
    ("default", "none"): (0.000, 0.000),
    ("random", "none"): (0.170, 0.062),
    ("random", "xor"): (0.243, 0.082),
    ("random", "sine"): (0.104, 0.047),
    ("topk", "none"): (0.039, 0.032),
    ("topk", "xor"): (0.116, 0.060),
    ("topk", "sine"): (0.086, 0.037),
    ("dynamic_topk", "none"): (0.038, 0.025),
    ("dynamic_topk", "xor"): (0.149, 0.073),
    ("dynamic_topk", "sine"): (0.086, 0.037),
    ("tril_damp", "none"): (0.328, 0.050),
    ("tril_damp", "xor"): (0.280, 0.045),
    ("tril_damp", "sine"): (0.343, 0.026),
    ("dynamic_tril_damp", "none"): (0.315, 0.048),
    ("dynamic_tril_damp", "xor"): (0.280, 0.045),
    ("dynamic_tril_damp", "sine"): (0.343, 0.026),
}

# `default` stands for "none" in the table of pruning too, so two of its cells appear twice.
PRINTED_TWICE = (("default", "xor"), ("default", "sine"))
