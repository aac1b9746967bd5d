"""Who an operator is: its key, the keys it met, names, passwords, safety words."""
