"""Which requirements hold on another laptop: run by pip's own Python, since pip alone knows.

Standard input: pairs of what differs there and the requirements; standard output: for each pair
those that apply, as [project's plain name, requirement without its marker].
"""

import json
import sys

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

told = []
for environment, requirements in json.load(sys.stdin):
    parsed = [Requirement(text) for text in requirements]
    kept = [
        r for r in parsed if not r.marker or r.marker.evaluate({**environment, "extra": ""})
    ]
    told.append([[canonicalize_name(r.name), f"{r.name}{r.specifier}"] for r in kept])
json.dump(told, sys.stdout)
