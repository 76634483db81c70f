"""A function of one network's arrays, computed number by number.

A GPU kernel that trains a network in registers knows no small arrays, only numbers, each of them
for many networks at once: lanes. Here a function written for the arrays of one network is traced,
and each of its steps is done for every entry by itself. So nothing is written twice: what the
plain path computes is what the kernel computes.

An array is represented by whole numbers of the same shape: the places of its entries in a list.
Whatever only moves entries around is then done by the very same operation on those places. Entries
are computed when they are first asked for, so that few have to be held at a time.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core as jex

Places = np.ndarray
Lanes = Any
"""A number, or an array of one number for each lane."""

_ELEMENTWISE = frozenset(
    "abs add add_any and bitcast_convert_type ceil clamp convert_element_type copy cos cosh div eq "
    "erf exp exp2 expm1 floor ge gt integer_pow is_finite le log log1p logistic lt max min mul ne "
    "neg not or pow rem round rsqrt select_n shift_left shift_right_arithmetic "
    "shift_right_logical sign sin sinh sqrt square sub tan tanh xor".split()
)
_MOVED = {  # how many of the operands are moved; those behind them say where to
    **dict.fromkeys("broadcast_in_dim rev reshape slice split squeeze transpose".split(), 1),
    **dict.fromkeys("dynamic_slice gather".split(), 1),
    "concatenate": None,  # all of them
    "pad": 2,
}
_FOLDED = {
    "reduce_sum": jax.lax.add_p,
    "reduce_max": jax.lax.max_p,
    "reduce_min": jax.lax.min_p,
    "reduce_prod": jax.lax.mul_p,
    "reduce_and": jax.lax.and_p,
    "reduce_or": jax.lax.or_p,
    "cumsum": jax.lax.add_p,
}
_INNER = ("jaxpr", "call_jaxpr")
_CALLS = frozenset(
    "checkpoint closed_call core_call custom_jvp_call custom_vjp_call jit pjit".split()
)


class UnsupportedError(NotImplementedError):
    """A function does something that has no meaning number by number."""


class Numbers:
    """Numbers by their places; equal ones are computed once, and none before it is asked for.

    Examples:
        >>> numbers = Numbers()
        >>> x = numbers.add_all([jnp.arange(3.0), jnp.ones(3)], (2,))  # two numbers, three lanes
        >>> total = numbers.trace(lambda x: jnp.sum(2 * x), x)
        >>> numbers[total[()]].tolist()
        [2.0, 4.0, 6.0]
    """

    def __init__(self, known: Iterable[Lanes | Later] = (), made: dict[Any, int] | None = None):
        self._known = list(known)
        self._made: dict[Any, int] = {} if made is None else made

    def __getitem__(self, place: int) -> Lanes:
        """The number at a place, computed now if it was not before."""
        waiting = [int(place)]
        while waiting:  # no recursion: sums are long chains
            later = self._known[waiting[-1]]
            if isinstance(later, Later):
                absent = [one for one in later.needs if isinstance(self._known[one], Later)]
                if absent:
                    waiting += reversed(absent)
                    continue
                values = [self._known[one] for one in later.needs]
                self._known[waiting[-1]] = later.compute(*values)
            waiting.pop()
        return self._known[int(place)]

    def add_all(self, entries: Sequence[Lanes | Later], shape: tuple[int, ...]) -> Places:
        """Places of new numbers, as an array of this shape."""
        start = len(self._known)
        self._known.extend(entries)
        return np.arange(start, len(self._known)).reshape(shape)

    def trace(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of trees of arrays with trees of places."""
        leaves, structure = jax.tree.flatten(arguments)
        likes = [jax.ShapeDtypeStruct(leaf.shape, self._dtype(leaf)) for leaf in leaves]
        traced, out = jax.make_jaxpr(function, return_shape=True)(
            *jax.tree.unflatten(structure, likes)
        )
        return jax.tree.unflatten(jax.tree.structure(out), self._evaluate(traced, leaves))

    def _dtype(self, places: Places) -> Any:
        if not places.size:
            return jnp.float32
        first = self._known[places.flat[0]]
        if isinstance(first, Later) and first.dtype is not None:
            return first.dtype
        return jnp.result_type(self[places.flat[0]])

    def _evaluate(self, traced: jex.ClosedJaxpr, arguments: Sequence[Places]) -> list[Places]:
        where: dict[Any, Places] = dict(zip(traced.jaxpr.invars, arguments, strict=True))
        for variable, constant in zip(traced.jaxpr.constvars, traced.consts, strict=True):
            where[variable] = self._constants(constant)

        def read(atom: Any) -> Places:
            return self._constants(atom.val) if isinstance(atom, jex.Literal) else where[atom]

        for equation in traced.jaxpr.eqns:
            found = self._apply(equation, [read(atom) for atom in equation.invars])
            where.update(zip(equation.outvars, found, strict=True))
        return [read(atom) for atom in traced.jaxpr.outvars]

    def _apply(self, equation: Any, inputs: list[Places]) -> list[Places]:
        primitive, params = equation.primitive, equation.params
        name, shape = primitive.name, equation.outvars[0].aval.shape
        if name in _CALLS:
            inner = next(params[key] for key in _INNER if key in params)
            closed = inner if isinstance(inner, jex.ClosedJaxpr) else jex.ClosedJaxpr(inner, ())
            return self._evaluate(closed, inputs)
        if name in _ELEMENTWISE:
            return [self._each(primitive, params, *(np.broadcast_to(x, shape) for x in inputs))]
        if name in _MOVED:
            return self._move(equation, inputs)
        if name in _FOLDED:
            return [self._fold(_FOLDED[name], params, inputs[0])]
        if name == "dot_general":
            return [self._product(params, *inputs)]
        if name == "iota":
            return [self._constants(_concretely(primitive, [], params))]
        if name == "stop_gradient":
            return inputs
        if name == "scan":
            return self._loop(equation, inputs)
        raise UnsupportedError(f"{name} cannot be done number by number")

    def _constants(self, value: Any) -> Places:
        if jnp.issubdtype(jnp.result_type(value), jax.dtypes.prng_key):
            raise UnsupportedError("random keys cannot be used number by number")
        array = np.asarray(value)
        flat = [self._constant(array.dtype.type(entry)) for entry in array.ravel()]
        return np.array(flat, int).reshape(array.shape)

    def _constant(self, entry: np.generic) -> int:
        return self._once((entry.dtype.str, entry.tobytes()), entry)

    def _each(self, primitive: Any, params: dict[str, Any], *inputs: Places) -> Places:
        """An element-wise operation on places of one shape."""
        rows = zip(*(x.ravel().tolist() for x in inputs), strict=True)
        told = str(sorted(params.items()))
        made = [self._one(primitive, params, told, row) for row in rows]
        return np.array(made, int).reshape(inputs[0].shape)

    def _one(self, primitive: Any, params: dict[str, Any], told: str, row: tuple[int, ...]) -> int:
        values = [self._known[place] for place in row]
        if all(isinstance(value, np.generic) for value in values):
            found = np.asarray(_concretely(primitive, values, params))
            return self._constant(found.dtype.type(found))
        if primitive.name in ("add", "add_any", "mul"):
            # Adding nothing, or multiplying by nothing or by one, is not worth an instruction.
            for value, one, other in zip(values, row, row[::-1], strict=True):
                if isinstance(value, np.generic) and value == 0:
                    return one if primitive.name == "mul" else other
                if isinstance(value, np.generic) and value == 1 and primitive.name == "mul":
                    return other
        later = Later(functools.partial(_bind, primitive, params), row)
        return self._once((primitive.name, told, row), later)

    def _once(self, key: Any, entry: Lanes | Later) -> int:
        if key not in self._made:
            self._known.append(entry)
            self._made[key] = len(self._known) - 1
        return self._made[key]

    def _move(self, equation: Any, inputs: list[Places]) -> list[Places]:
        primitive = equation.primitive
        moved = _MOVED[primitive.name] or len(inputs)
        operands = [places.astype(np.int32) for places in inputs[:moved]]
        for places in inputs[moved:]:
            entries = [self._known[place] for place in places.flat]
            if not all(isinstance(entry, np.generic) for entry in entries):
                raise UnsupportedError(f"{primitive.name} to places that are computed")
            operands.append(np.array(entries, np.int32).reshape(places.shape))
        found = _concretely(primitive, operands, equation.params)
        many = found if primitive.multiple_results else [found]
        return [np.asarray(one, int) for one in many]

    def _fold(self, primitive: Any, params: dict[str, Any], x: Places) -> Places:
        step = functools.partial(self._each, primitive, {})
        if "axes" not in params:  # running sums
            if params["reverse"]:
                raise UnsupportedError("running sums in reverse")
            rows = np.moveaxis(x, params["axis"], 0)
            return np.moveaxis(np.stack(list(itertools.accumulate(rows, step))), 0, params["axis"])
        axes = tuple(params["axes"])
        rest = [axis for axis in range(x.ndim) if axis not in axes]
        rows = x.transpose(*axes, *rest).reshape(-1, *(x.shape[axis] for axis in rest))
        return functools.reduce(step, rows)

    def _product(self, params: dict[str, Any], x: Places, y: Places) -> Places:
        (x_axes, y_axes), batched = params["dimension_numbers"]
        if any(batched) or not math.prod(y.shape[axis] for axis in y_axes):
            raise UnsupportedError("products in batches or of nothing")
        x = np.moveaxis(x, x_axes, range(-len(x_axes), 0))
        y = np.moveaxis(y, y_axes, range(len(y_axes)))
        rows, columns = x.shape[: x.ndim - len(x_axes)], y.shape[len(y_axes) :]
        terms = math.prod(y.shape[: len(y_axes)])
        left, right = x.reshape(-1, terms), y.reshape(terms, -1)
        products = (
            self._each(jax.lax.mul_p, {}, *np.broadcast_arrays(left[:, k, None], right[k]))
            for k in range(terms)
        )
        add = functools.partial(self._each, jax.lax.add_p, {})
        return functools.reduce(add, products).reshape(*rows, *columns)

    def _loop(self, equation: Any, inputs: list[Places]) -> list[Places]:
        """A loop that only carries stays a loop."""
        body, length = equation.params["jaxpr"], equation.params["length"]
        given = [atom.aval.shape for atom in equation.invars]
        left = [atom.aval.shape for atom in equation.outvars]
        if [a.shape for a in body.in_avals] != given or [a.shape for a in body.out_avals] != left:
            raise UnsupportedError("a loop over arrays")
        fixed, begin = inputs[: len(inputs) - len(left)], inputs[len(inputs) - len(left) :]
        for place in itertools.chain.from_iterable(places.flat for places in inputs):
            self[place]
        start = [self[place] for places in begin for place in places.flat]
        lanes = jnp.broadcast_shapes(
            *(jnp.shape(one) for one in self._known if not isinstance(one, Later))
        )

        def step(_: Any, carry: tuple[Any, ...]) -> tuple[Any, ...]:
            inner = Numbers(self._known, dict(self._made))
            rest = iter(carry)
            now = [
                inner.add_all(list(itertools.islice(rest, one.size)), one.shape) for one in begin
            ]
            ended = inner._evaluate(body, [*fixed, *now])
            return tuple(spread(inner[place], lanes) for one in ended for place in one.flat)

        first = tuple(spread(one, lanes) for one in start)
        rest = iter(jax.lax.fori_loop(0, length, step, first))
        return [self.add_all(list(itertools.islice(rest, one.size)), one.shape) for one in begin]


class Later(NamedTuple):
    """A number that nobody has asked for yet: how it is computed, from the numbers it needs."""

    compute: Callable[..., Lanes]
    needs: tuple[int, ...] = ()
    dtype: Any = None


def spread(entry: Lanes, lanes: tuple[int, ...]) -> Any:
    """The same number for all lanes."""
    return jnp.broadcast_to(jnp.asarray(entry), lanes)


def _bind(primitive: Any, params: dict[str, Any], *values: Lanes) -> Lanes:
    """One operation on one entry."""
    lanes = jnp.broadcast_shapes(*(jnp.shape(value) for value in values))
    together = [spread(value, lanes) for value in values]
    if primitive.name == "convert_element_type":
        return together[0].astype(params["new_dtype"])  # its params speak of arrays' layouts
    return primitive.bind(*together, **params)


def _concretely(primitive: Any, values: Sequence[Any], params: dict[str, Any]) -> Any:
    with jax.ensure_compile_time_eval():
        return primitive.bind(*(jnp.asarray(value) for value in values), **params)
