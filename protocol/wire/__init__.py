"""One authenticated, encrypted channel between two laptops, and what a stranger may cost."""
