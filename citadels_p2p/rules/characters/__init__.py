"""What the characters do, one room a rank; each can be read alone beside the rulebook."""
