"""How feed-forward is a trained torch RNN?

    python examples/torch_rnn.py                    # trains one here; needs torch
    python examples/torch_rnn.py model.safetensors  # a state dict that you saved; needs no torch

The network reads a sequence of bits and says at every step whether their sum so far is odd.
"""

import sys
from typing import Any

from orderedness import measure


def report(name: str, network: Any) -> None:
    """One line about one network: its order, and how much of it is more than chance."""
    found = measure(network, null="orientation", draws=99, time_limit=5)
    bounds = "certified" if found.certified else f"at most {found.upper:.3f}"
    assert found.null is not None
    print(
        f"{name}: O = {found.orderedness:.3f} ({bounds}); with every pair of connections turned at "
        f"random {found.null.mean:.3f} ± {found.null.sd:.3f}, p = {found.null.p:.2f}"
    )
    for gate, value in found.gates.items():
        print(f"    gate {gate}: O = {value:.3f}")


def train_one() -> None:
    """Train a small RNN on parity, and look at it before and after."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)  # so small a network is slower on several
    rnn, readout = torch.nn.RNN(1, 16, batch_first=True), torch.nn.Linear(16, 1)
    report("as drawn", rnn)
    parameters = [*rnn.parameters(), *readout.parameters()]
    optimiser = torch.optim.Adam(parameters, lr=0.005)
    for step in range(1001):
        bits = torch.randint(0, 2, (128, 8, 1)).float()
        odd = bits.cumsum(1) % 2
        states, _ = rnn(2 * bits - 1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(readout(states), odd)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 500 == 0:
            print(f"step {step}: loss {loss.item():.4f}")
    report("trained", rnn)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for path in sys.argv[1:]:
            report(path, path)
    else:
        train_one()
