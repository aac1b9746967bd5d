"""Every sentence a person reads. Below this wing there are only codes and values.

Rules: whole sentences in the present tense; names in their plain form; every number through a
plural; nothing from another machine is shown before `clean`.
"""

from cli.text.events import narrate as narrate
from cli.text.labels import label as label
from cli.text.questions import question as question
from cli.text.reasons import ending as ending
from cli.text.reasons import error as error
from cli.text.reasons import notice as notice
from cli.text.reasons import refusal as refusal
from cli.text.scene import Scene as Scene
from cli.text.scene import clean as clean
from cli.text.scene import listing as listing
