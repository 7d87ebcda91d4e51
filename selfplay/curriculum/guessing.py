"""How often luck alone is right at one task, read off its wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

from selfplay.curriculum.posterior import Posterior, Scorer


def guess_rate(answers: Sequence[tuple[str | None, bool]], blind: float = 0.0) -> float:
    """The rate at which a guess is right, from (canonical answer or None, correct?) of one task's attempts; never below
    `blind`, the verifier's own rate.

    Who guesses among few options gives the same wrong answers again and again. Two wrong answers, drawn without
    replacement, agree at the rate c; among equally likely options, one of them right, there are 1 + 1/c, and a guess is
    right at the rate c / (1 + c): 1/2 where all wrong answers agree, 0 where no two do or there are fewer than two.
    Attempts without an answer were no guesses and lower the rate in proportion.

    c is taken one standard error below its estimate, because people and models who know much also err alike: a few
    agreeing answers among many different ones should not cost a hard task its worth. A coin flip has no such error, all
    its wrong answers agree. `Posterior.known` doubts the other way, once luck is established.

    Limits. One systematic mistake looks like a coin that favours the wrong side, and is taken for one. Where many
    answers are right, as for an abduction, the wrong ones say nothing about luck: there `blind` must. A coin that
    favours the right side, 7 times in 10, is taken for a fair one. Few answers say little: a coin flipper who gives an
    answer only every other time keeps two fifths of what luck earns in 8 attempts, a tenth in 24. Raises ValueError
    where `blind` is no rate.
    """
    if not 0 <= blind <= 1:
        raise ValueError(f"blind is {blind}, not between 0 and 1")
    wrong = [answer for answer, correct in answers if not correct]
    given = Counter(answer for answer in wrong if answer is not None)
    total = given.total()
    if total < 2:
        return blind
    pairs = total * (total - 1) / 2
    agree = sum(count * (count - 1) / 2 for count in given.values()) / pairs
    sure = max(0.0, agree - sqrt(agree * (1 - agree) / pairs)) * total / len(wrong)
    return max(blind, sure / (1 + sure))


def without_luck(scorer: Scorer, posterior: Posterior, guess: float) -> float:
    """What a task is worth by what was known of it, and never more than by what was seen: taking luck off makes an easy
    task look harder, but its outcome does not vary more for that."""
    return min(scorer(posterior), scorer(posterior.known(guess)))
