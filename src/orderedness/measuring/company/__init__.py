"""Other measures of direction in networks, each with its formula and where it comes from.

All take the same matrix: weights of at least 0 between units, entry [r, c] from c to r, and leave
self-connections out unless they say otherwise.
"""
