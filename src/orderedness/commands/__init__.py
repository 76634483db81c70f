"""Commands that use several parts of the package; importing them imports nothing heavy."""
