"""Tasks, experiments, and training whole populations of networks."""

from orderedness.training.baseline import (
    Baseline,
    BaselineOutcome,
    sine_baseline,
    train_baseline,
    xor_baseline,
)
from orderedness.training.engine import OnProgress, train_jobs
from orderedness.training.experiment import Experiment
from orderedness.training.job import Job
from orderedness.training.optimiser import Optimiser, adam
from orderedness.training.outcome import Outcome
from orderedness.training.plan import Recording
from orderedness.training.populations import stream, train
from orderedness.training.summary import Summary, summarise
from orderedness.training.task import Reading, Task, parity, sine, untrained, xor

__all__ = [
    "Baseline",
    "BaselineOutcome",
    "Experiment",
    "Job",
    "OnProgress",
    "Optimiser",
    "Outcome",
    "Reading",
    "Recording",
    "Summary",
    "Task",
    "adam",
    "parity",
    "sine",
    "sine_baseline",
    "stream",
    "summarise",
    "train",
    "train_baseline",
    "train_jobs",
    "untrained",
    "xor",
    "xor_baseline",
]
