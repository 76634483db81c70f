"""Reading networks from files. Nothing that a file says is ever run."""
