"""The figure `three-readings`: one job stored as fire-time, as order and as next-run.

Both designs; each reading has a lane of its own. The job is JOB0Nb1VTbfnu4, minted at t0 and due
90 seconds later, among four others that were minted a second apart.
"""

from decoder.figures.three_readings.links import (
    clocks,
    here,
    in_design,
    misreadings,
    moments,
    now_stored,
    offers,
    query,
    read_back,
    readings_beside,
    same_beside,
    select,
    step_of,
    steps_around,
    timed_beside,
    untimed_beside,
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
from decoder.figures.three_readings.run import computed, of_other_cards, run_of, standing
from decoder.figures.three_readings.scene import INVITES, MINE, NAME, T0_MS, TITLE, set_key
from decoder.readings.catalogue import DESIGNS

__all__ = [
    "ACTIONS", "DESIGNS", "FIELDS", "INPUTS", "INVITES", "MINE", "NAME", "SCRIPTS", "SECONDS",
    "STEPS", "T0_MS", "TITLE",
    "clocks", "computed", "here", "in_design", "lane_name", "misreadings", "moments", "now_stored",
    "of_other_cards", "offers", "program", "query", "read_action", "read_back", "read_story",
    "readings_beside", "run_of", "same_beside", "select", "set_key", "standing", "step_of",
    "steps_around", "timed_beside", "untimed_beside",
]  # fmt: skip
