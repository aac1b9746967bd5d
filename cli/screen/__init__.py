"""The full screen: a model of what was heard, views of it, and a thin shell around both.

Pure but for `shell`: news and keys go into a `Screen`, acts and frames come out. Nothing here
knows a rule of the game; the menu is the engine's own list of options.
"""
