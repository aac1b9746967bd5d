"""The city as it is drawn: views in, cells out. No terminal, no page, no session."""
