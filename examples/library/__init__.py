"""Ten small programs over `citadels_p2p.Game`; each prints what its first lines say."""
