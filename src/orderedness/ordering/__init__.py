"""How ordered a matrix is: problems, solvers, and orderings with bounds."""

from orderedness.ordering.measure import Orderedness, orderedness

__all__ = ["Orderedness", "orderedness"]
