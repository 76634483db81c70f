"""`orderedness train`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Train:
    """Train and prune a population, and measure its orderedness before and after."""

    task: str = "xor"
    """xor, sine, parity3, parity4, ... or untrained."""
    pruner: str = "dynamic-topk"
    """none, random, topk, dynamic-topk, tril-damping or dynamic-tril-damping."""
    sparsity: float = 0.5
    """Fraction removed, for random and top-k pruning."""
    fraction: float = 0.8
    """Fraction taken off below the diagonal at each step, for tril-damping."""
    networks: int = 100
    """How many networks."""
    seed: int = 0
    """Seed of the first network; the others follow."""
    hidden: int | None = None
    """Hidden units; the task's own number if not given."""
    iterations: int | None = None
    """Iterations T; the task's own number if not given."""
    out: Path | None = None
    """An .npz file for seeds, weights and values before and after, and losses."""
    json: bool = False
    """Print JSON instead of text."""

    def run(self) -> int:
        """Train, measure, print."""
        from orderedness import train
        from orderedness._checks import whole
        from orderedness.training.named import named_experiment
        from orderedness.training.progress import progress_line
        from orderedness.training.summary import save_outcome, summarise

        whole("networks", self.networks, least=1)
        experiment = named_experiment(
            self.task,
            self.pruner,
            sparsity=self.sparsity,
            fraction=self.fraction,
            hidden=self.hidden,
            iterations=self.iterations,
        )
        seeds = range(self.seed, self.seed + self.networks)
        with progress_line(self.networks) as finished:
            outcome = train(experiment, seeds, on_progress=finished)
        summary = summarise(outcome)
        if self.out is not None:
            save_outcome(outcome, self.out)
        print(json.dumps(summary.as_json()) if self.json else summary.text())
        return 0
