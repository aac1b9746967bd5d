"""The plain table, the machine client, and the loop that both run in."""
