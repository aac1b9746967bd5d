"""Notices that stay in sight until what they tell of is over."""

from __future__ import annotations

#: the trouble that the viewer has with a program of their own
ELSEWHERE = "elsewhere"
#: notices that stay in sight → what they are about
TROUBLES = {
    "slow": "silence of {name}",
    "left": "silence of {name}",
    "away": "silence of {name}",
    "suspected": "doubt of {name}: {why}",
    "elsewhere": ELSEWHERE,
    "paused": "paused",
    "host_gone": "host",
    "cheat": "cheat",
    "diverged": "diverged",
    "key_changed": "key",
}
#: notices that mean nothing any more once the match is over
COMING_AND_GOING = frozenset(
    {"slow", "left", "away", "paused", "back", "host_gone", "reconnected"}
)
#: notices that end a trouble → what that was about
ENDED = {
    "back": ("silence of {name}", "paused"),
    "reconnected": ("host", ELSEWHERE),
    "taking_over": (ELSEWHERE,),
    "hosting": ("host",),
}
