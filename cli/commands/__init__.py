"""The commands behind the command line, a module for each kind; imported only when one runs."""
