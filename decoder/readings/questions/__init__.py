"""Questions: what is asked before an action that surprises, and which answer came true.

One module a kind of action. An answer is judged by what the server replied, never by what the
action was meant to do.
"""

from decoder.readings.questions.adding import SAME_SCORES, SAME_SLOTS
from decoder.readings.questions.changing import CHANGE_PRIORITY
from decoder.readings.questions.judging import judged
from decoder.readings.questions.promoting import PROMOTE_DELAYED, PROMOTE_SCHEDULED
from decoder.readings.questions.registering import REGISTER_AGAIN, UPSERT_AGAIN
from decoder.readings.questions.serving import CLAIM, SERVE_BY_MEMBER, SERVE_BY_SCORE

__all__ = [
    "CHANGE_PRIORITY", "CLAIM", "PROMOTE_DELAYED", "PROMOTE_SCHEDULED", "REGISTER_AGAIN",
    "SAME_SCORES", "SAME_SLOTS", "SERVE_BY_MEMBER", "SERVE_BY_SCORE", "UPSERT_AGAIN", "judged",
]  # fmt: skip
