"""The signed, hash-chained journal, and what its entries prove of whom. Pure."""
