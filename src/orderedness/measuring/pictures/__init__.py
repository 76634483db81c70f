"""Pictures of a measurement. Matplotlib is imported when something is drawn."""
