"""What is trained: the complete layer, its initialisers, and its recurrent and MLP twins."""

from orderedness.network.complete import Activation, CompletePerceptron
from orderedness.network.initialisers import Initialiser, normal, uniform, zeros
from orderedness.network.mlp import MLP, from_mlp
from orderedness.network.recurrent import Recurrent

__all__ = [
    "MLP",
    "Activation",
    "CompletePerceptron",
    "Initialiser",
    "Recurrent",
    "from_mlp",
    "normal",
    "uniform",
    "zeros",
]
