"""Tasks, experiments, and training whole populations of networks."""

from orderedness.training.experiment import Experiment
from orderedness.training.optimiser import Optimiser, adam
from orderedness.training.outcome import Outcome
from orderedness.training.task import Reading, Task, parity, sine, untrained, xor
from orderedness.training.train import stream, train

__all__ = [
    "Experiment",
    "Optimiser",
    "Outcome",
    "Reading",
    "Task",
    "adam",
    "parity",
    "sine",
    "stream",
    "train",
    "untrained",
    "xor",
]
