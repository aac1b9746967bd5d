"""What the unique districts do, grouped by the moment they act."""
