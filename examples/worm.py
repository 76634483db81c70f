"""The order of a nervous system.

    python examples/worm.py synapses.csv [picture.png]

The file lists synapses as source,target,weight, one line a connection, with or without a header:
for instance the chemical synapses of the hermaphrodite worm (Cook et al., Nature 571, 2019).
"""

import sys
from pathlib import Path

from orderedness import measure
from orderedness.measuring import NULL_MODELS
from orderedness.measuring.pictures.write import write_picture


def main(synapses: str, picture: str | None) -> None:
    """Measure, compare with each null model, and draw."""
    found = measure(synapses, self_loops="ignore")
    print(found)
    print()
    for model in NULL_MODELS:
        null = measure(
            synapses, self_loops="ignore", null=model, draws=49, time_limit=20, company=False
        ).null
        assert null is not None
        chance = f"{null.mean:.4f} ± {null.sd:.4f}"
        print(f"{model}: {null.observed:.4f} against {chance}, p = {null.p:.2f}")
    if picture is not None:
        write_picture(found, Path(picture))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else None)
