"""The command line and every other place where words are typed."""
