"""Judging: hold an answer against what came true."""

from __future__ import annotations

from collections.abc import Mapping

from decoder.readings.reading import Outcome, Question, Reading
from decoder.readings.run import Guess


def true_of(answers: Mapping[str, bool]) -> tuple[str, ...]:
    """Return the names of the answers that came true."""
    return tuple(name for name, holds in answers.items() if holds)


def judged(question: Question, said: str, reading: Reading, outcome: Outcome) -> tuple[Guess, str]:
    """Hold an answer against what came: the guess, and what is said of it."""
    came = question.came(reading, outcome)
    right = said in came.answers
    served = said if right else next(iter(came.answers), None)
    joined = ", and" if right else ";"
    told = f"You said “{question.answers[said]}”{joined} Valkey {came.did}, because {came.because}."
    return Guess(said, served, right), told
