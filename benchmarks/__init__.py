"""What the program costs: measured from a checkout, not installed with it."""
