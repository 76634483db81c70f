"""The state of a search in one component: what every solver reads, and what it improves.

A solver may be stopped between any two statements (a time limit, Ctrl-C). So it returns nothing:
it offers orders and raises bounds as it finds them, and what is here is valid at any moment.
"""

import math
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float, Int

from orderedness.ordering.problem import weight_below


@dataclass
class Search:
    """The best order and bound so far for one strongly connected component.

    Attributes:
        weights: net weights; [r, c] is paid when r comes after c, and [c, r] is then zero.
        order: the best order so far.
        integral: whether all weights are integers.
        slack: how close cost and bound of real weights must come.
        seed: for random choices.
        deadline: when to stop, on the clock of `time.perf_counter`.
        bound: no order costs less than this.
        statistics: what was done, counted.

    Example:
        >>> search = Search(sp.csr_array(np.array([[0.0, 1.0], [0.0, 0.0]])), np.array([1, 0]))
        >>> search.cost
        1.0
        >>> search.offer(np.array([0, 1]))
        >>> search.cost, search.done
        (0.0, True)
    """

    weights: sp.csr_array
    order: Int[np.ndarray, " n"]
    integral: bool = False
    slack: float = 0.0
    seed: int = 0
    deadline: float = math.inf
    bound: float = 0.0
    statistics: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.cost = weight_below(self.weights, self.order)

    @property
    def size(self) -> int:
        """The number of units."""
        return int(self.weights.shape[0])

    @cached_property
    def total(self) -> float:
        """All net weight."""
        return float(self.weights.data.sum())

    @cached_property
    def dense(self) -> Float[np.ndarray, "n n"]:
        """The net weights as a dense matrix."""
        matrix: np.ndarray = self.weights.toarray()
        return matrix

    @property
    def density(self) -> float:
        """The share of pairs that have a net weight."""
        return 2.0 * self.weights.nnz / max(1, self.size * (self.size - 1))

    @property
    def least_gain(self) -> float:
        """Smaller changes of the cost are rounding: to follow them could go in circles."""
        return 0.5 if self.integral else 1e-12 * self.total

    @property
    def done(self) -> bool:
        """Whether the best order is known to be the best possible."""
        return self.bound >= self.cost - (0.0 if self.integral else self.slack)

    def remaining(self) -> float:
        """Seconds left."""
        return self.deadline - time.perf_counter()

    @property
    def over(self) -> bool:
        """Whether to stop: nothing left to prove, or no time left."""
        return self.done or self.remaining() <= 0

    def offer(self, order: Int[np.ndarray, " n"]) -> None:
        """Keep this order if it is better than the best so far."""
        cost = weight_below(self.weights, order)
        if cost < self.cost:
            self.order, self.cost = np.array(order, np.int64), cost

    def raise_bound(self, bound: float) -> None:
        """Note that no order costs less; rounded up for integers, rounding errors aside."""
        if self.integral:
            bound = float(math.ceil(bound - 1e-6 - 1e-10 * self.total))
        self.bound = min(max(self.bound, bound), self.cost)

    def prove(self) -> None:
        """Note that the best order so far is the best possible."""
        self.bound = self.cost


class Solver(Protocol):
    """A way of searching. Implementations are frozen dataclasses without hidden state."""

    def search(self, search: Search) -> None:
        """Improve the order and the bound of one component until done or out of time."""
