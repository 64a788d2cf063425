"""The figure `three-readings`: one job stored as fire-time, as order and as next-run.

Both designs; each reading has a lane of its own. The job is JOB0Nb1VTbfnu4, minted at t0 and due
90 seconds later, among four others that were minted a second apart.
"""

from decoder.figures.three_readings.links import (
    clocks,
    in_design,
    in_words,
    misreadings,
    moments,
    offers,
    query,
    readings_beside,
    steps_around,
)
from decoder.figures.three_readings.program import SCRIPTS, program
from decoder.figures.three_readings.request import (
    ACTIONS,
    FIELDS,
    INPUTS,
    SECONDS,
    STEPS,
    lane_name,
    read_action,
    read_story,
)
from decoder.figures.three_readings.run import computed, run_of, standing
from decoder.figures.three_readings.scene import (
    INVITES,
    MINE,
    NAME,
    T0_MS,
    TITLE,
    score_of,
    set_key,
)

__all__ = [
    "ACTIONS", "FIELDS", "INPUTS", "INVITES", "MINE", "NAME", "SCRIPTS", "SECONDS", "STEPS",
    "T0_MS", "TITLE",
    "clocks", "computed", "in_design", "in_words", "lane_name", "misreadings", "moments",
    "offers", "program", "query", "read_action", "read_story", "readings_beside", "run_of",
    "score_of", "set_key", "standing", "steps_around",
]  # fmt: skip
