"""Saved matches: verified, told, counted."""
