"""What an operator keeps on its disk."""
