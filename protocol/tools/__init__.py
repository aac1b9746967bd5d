"""What `citadels doctor` looks at."""
