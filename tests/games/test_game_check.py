"""The law book, against games that each break one law. A broken game is a correct one with one thing changed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from random import Random

import pytest

from games import Game, available, find
from games.check import check
from games.kuhn_poker import Hand, KuhnPoker
from games.tic_tac_toe import TicTacToe


class UsesGlobalRandomness(KuhnPoker):
    def initial(self, rng):
        return random.choice(self.chance(None))[1]


class SeedsGlobalRandomness(TicTacToe):
    def step(self, state, action, rng):
        random.seed(7)
        return super().step(state, action, rng)


class IgnoresItsSeed(KuhnPoker):
    source = Random(1)

    def initial(self, rng):
        return self.deal(None, self.source)


class DrawsALaterWordItself(TicTacToe):
    """A free cell is filled by the game now and then, from a source that nobody passed in."""

    source = Random(2)

    def step(self, state, action, rng):
        after = super().step(state, action, rng)
        return after if self.source.random() < 0.9 or self.to_move(after) is None else "OXO456789"


class UsesNumpysGlobalRandomness(KuhnPoker):
    def initial(self, rng):
        import numpy

        return self.chance(None)[numpy.random.randint(6)][1]


class SaysSomethingElseAtEveryLook(TicTacToe):
    looks = 0

    def observe(self, state, seat):
        self.looks += 1
        return f"{super().observe(state, seat)}\nLook {self.looks}"


class KeepsTheBoardInTheGame(TicTacToe):
    """Right as long as only one game is played at a time."""

    def initial(self, rng):
        self.board = super().initial(rng)
        return self.board

    def step(self, state, action, rng):
        self.board = super().step(self.board, action, rng)
        return self.board


class NeverEnds(TicTacToe):
    def step(self, state, action, rng):
        return state


class DeclaresTooFewPlies(TicTacToe):
    max_plies = 8


class NeverEndsWhereNobodyWants(TicTacToe):
    """Most of its legal actions are passes, which change nothing."""

    max_plies = 30

    def legal(self, state):
        return [*super().legal(state), *[f"pass {number}" for number in range(40)]]

    def step(self, state, action, rng):
        return state if action.startswith("pass") else super().step(state, action, rng)


class DeclaresTooNarrowARange(KuhnPoker):
    utility_range = (-1.0, 1.0)


class PaysBothSeats(TicTacToe):
    def returns(self, state):
        return [abs(value) for value in super().returns(state)]


class PaysOneSeatOnly(TicTacToe):
    def returns(self, state):
        return super().returns(state)[:1]


class ListsATakenCell(TicTacToe):
    def legal(self, state):
        return list("123456789")

    def step(self, state, action, rng):
        if action not in state:
            raise ValueError(f"{action} is taken")
        return super().step(state, action, rng)


class ListsNothing(TicTacToe):
    def legal(self, state):
        return [] if "5" not in state else super().legal(state)


class ListsAnActionTwice(TicTacToe):
    def legal(self, state):
        return [*super().legal(state), state[state.find("9")]] if "9" in state else super().legal(state)


class GuessesWhatIsMeant(TicTacToe):
    def parse(self, text, state):
        return super().parse(text, state) or self.legal(state)[0]


class ReadsTheFirstDigit(TicTacToe):
    def parse(self, text, state):
        return next((sign for sign in text if sign in self.legal(state)), None)


class TakesGarbageForAMove(TicTacToe):
    """Any words at all are a move somewhere, so a game of garbage goes on."""

    def parse(self, text, state):
        return super().parse(text, state) or "5"


class ReadsAnActionAsAnother(TicTacToe):
    def parse(self, text, state):
        action = super().parse(text, state)
        return self.legal(state)[-1] if action == self.legal(state)[0] else action


class MisreadsItsOwnActions(TicTacToe):
    def parse(self, text, state):
        return None if text == "9" else super().parse(text, state)


class ChokesOnGarbage(TicTacToe):
    def parse(self, text, state):
        return str(int(text)) if str(int(text)) in self.legal(state) else None


class ShowsTheOtherCard(KuhnPoker):
    def observe(self, state, seat):
        return f"Cards: {state.cards}\nSo far: {state.history}"


class ShowsTheOtherCardInTheKeyToo(ShowsTheOtherCard):
    def infostate_key(self, state, seat):
        return repr(state)


class KeyKnowsTheOtherCard(KuhnPoker):
    def infostate_key(self, state, seat):
        return repr(state)


class LegalMovesGiveTheCardAway(KuhnPoker):
    def legal(self, state):
        legal = super().legal(state)
        return legal[::-1] if state.cards == ("J", "K") else legal


class ForgetsToDeclareHiddenCards(KuhnPoker):
    perfect_information = True


class DealsWhatIsNotListed(KuhnPoker):
    def initial(self, rng):
        return Hand(("K", "K"))


class OddsDoNotAddUp(KuhnPoker):
    def chance(self, state):
        deals = super().chance(state)
        return deals and [(odds / 2, after) for odds, after in deals]


@dataclass
class Pot:
    board: str

    def __hash__(self):
        return hash(self.board)


class ChangesTheStateItIsGiven(TicTacToe):
    def initial(self, rng):
        return Pot(super().initial(rng))

    def to_move(self, state):
        return super().to_move(state.board)

    def observe(self, state, seat):
        return super().observe(state.board, seat)

    def legal(self, state):
        return super().legal(state.board)

    def returns(self, state):
        return super().returns(state.board)

    def infostate_key(self, state, seat):
        return state.board

    def step(self, state, action, rng):
        state.board = TicTacToe().step(state.board, action, rng)
        return state


class StatesThatDoNotPickle(TicTacToe):
    def initial(self, rng):
        return lambda: "123456789"

    def to_move(self, state):
        return super().to_move(state())

    def observe(self, state, seat):
        return super().observe(state(), seat)

    def legal(self, state):
        return super().legal(state())

    def returns(self, state):
        return super().returns(state())

    def infostate_key(self, state, seat):
        return state()

    def step(self, state, action, rng):
        board = TicTacToe().step(state(), action, rng)
        return lambda: board


class Box:
    def __init__(self, board):
        self.board = board


class StatesWithoutEquality(ChangesTheStateItIsGiven):
    def initial(self, rng):
        return Box("123456789")

    def step(self, state, action, rng):
        return Box(TicTacToe().step(state.board, action, rng))


class StatesAreLists(TicTacToe):
    def initial(self, rng):
        return list("123456789")

    def to_move(self, state):
        return super().to_move("".join(state))

    def observe(self, state, seat):
        return super().observe("".join(state), seat)

    def returns(self, state):
        return super().returns("".join(state))

    def infostate_key(self, state, seat):
        return "".join(state)

    def step(self, state, action, rng):
        return list(super().step("".join(state), action, rng))


class RaisesNow(TicTacToe):
    def observe(self, state, seat):
        if state.count("X") == 2:
            raise KeyError("two marks")
        return super().observe(state, seat)


class GivesAThirdSeatTheMove(TicTacToe):
    def to_move(self, state):
        seat = super().to_move(state)
        return None if seat is None else seat + 1


class FreeTextWithNobodyToPlay(TicTacToe):
    def legal(self, state):
        return None


class ThinksTooLong(TicTacToe):
    """As a game that searches the tree in `legal`, or reads a dictionary again in every step."""

    max_plies = 9

    def legal(self, state):
        sum(range(10_000_000))
        return super().legal(state)

    def initial(self, rng):
        return "XOXOX67O9"  # three plies at most

    def infostate_key(self, state, seat):
        return None


class NamelessSeats(TicTacToe):
    roles = ("X", "X")


BROKEN = [
    (UsesGlobalRandomness, "global randomness", "draw from the rng"),
    (SeedsGlobalRandomness, "global randomness", "draw from the rng"),
    (IgnoresItsSeed, "determinism", "playing the same seed again"),
    (DrawsALaterWordItself, "determinism", "playing the same seed again"),
    (UsesNumpysGlobalRandomness, "global randomness", "draw from the rng"),
    (SaysSomethingElseAtEveryLook, "determinism", "playing the same seed again"),
    (KeepsTheBoardInTheGame, "isolation", "in turns with another game"),
    (NeverEnds, "termination", "max_plies = 9"),
    (DeclaresTooFewPlies, "termination", "max_plies = 8"),
    (NeverEndsWhereNobodyWants, "termination", "max_plies = 30"),
    (DeclaresTooNarrowARange, "range", "2.0"),
    (PaysBothSeats, "zero sum", "add up to 2"),
    (PaysOneSeatOnly, "returns", "one number a seat"),
    (ListsATakenCell, "step", "is taken"),
    (ListsNothing, "legal", "one or more"),
    (ListsAnActionTwice, "legal", "twice"),
    (GuessesWhatIsMeant, "parse", "no action here"),
    (ReadsTheFirstDigit, "parse", "no action here"),
    (TakesGarbageForAMove, "parse", "is read as '5'"),
    (ReadsAnActionAsAnother, "parse", "is read as"),
    (MisreadsItsOwnActions, "parse", "'9' is read as None"),
    (ChokesOnGarbage, "parse", "None was due"),
    (ShowsTheOtherCard, "hidden information", "knows the same"),
    (ShowsTheOtherCardInTheKeyToo, "hidden information", "gives the whole state away"),
    (KeyKnowsTheOtherCard, "hidden information", "more than it was shown"),
    (LegalMovesGiveTheCardAway, "hidden information", "knows the same"),
    (ForgetsToDeclareHiddenCards, "hidden information", "perfect_information = False"),
    (DealsWhatIsNotListed, "chance", "does not list"),
    (OddsDoNotAddUp, "chance", "probabilities that add up to 0.4"),
    (ChangesTheStateItIsGiven, "immutability", "`step` changed"),
    (StatesThatDoNotPickle, "value", "pickle"),
    (StatesWithoutEquality, "value", "not equal to itself"),
    (StatesAreLists, "value", "must hash"),
    (RaisesNow, "runs", "KeyError"),
    (GivesAThirdSeatTheMove, "seats", "none of the 2 seats"),
    (FreeTextWithNobodyToPlay, "legal", "opponents()"),
    (NamelessSeats, "declaration", "differ"),
]


@pytest.mark.parametrize("name", available())
def test_every_built_in_game_keeps_the_laws(name):
    assert check(find(name)) == []


@pytest.mark.parametrize(("broken", "law", "words"), BROKEN, ids=[broken.__name__ for broken, _, _ in BROKEN])
def test_a_broken_game_is_told_which_law_it_breaks(broken, law, words):
    violations = {violation.law: violation for violation in check(broken(), playouts=60)}
    assert law in violations, violations
    assert words in violations[law].sentence


@pytest.mark.parametrize(
    "broken", [PaysBothSeats, DeclaresTooNarrowARange, MisreadsItsOwnActions, LegalMovesGiveTheCardAway]
)
def test_a_game_that_breaks_one_law_is_blamed_for_no_other(broken):
    assert len(check(broken())) == 1


def test_a_game_that_takes_too_long_over_a_decision_is_told_so():
    violations = {violation.law: violation for violation in check(ThinksTooLong(), playouts=1)}
    assert "a decision takes" in violations["speed"].sentence


def test_the_transcript_is_the_shortest_one_found_and_can_be_read():
    (violation,) = check(PaysBothSeats())
    seed, *moves, end = violation.transcript
    assert seed.startswith("seed ") and end.startswith("over: returns [1.0, 1.0]")
    assert len(moves) == 5  # no game of tic-tac-toe is won sooner
    assert moves[0].startswith("X: ") and moves[1].startswith("O: ")
    assert str(violation).startswith("zero sum: returns [1.0, 1.0] add up to 2.0")

    (violation,) = [found for found in check(RaisesNow()) if found.law == "runs"]
    assert len(violation.transcript) == 1 + 3  # the seed; then X, O, X


def test_the_check_itself_leaves_the_global_random_state_alone():
    random.seed(11)
    expected = random.random()
    random.seed(11)
    check(SeedsGlobalRandomness(), playouts=5)
    assert random.random() == expected


class SayANumber(Game):
    """Free text: the second seat wins by saying what the first one said."""

    name = "say_a_number"
    roles = ("first", "second")
    max_plies = 2
    perfect_information = False

    class Speaker:
        name = "speaker"

        def act(self, game, state, rng):
            return str(rng.randrange(3))

    def initial(self, rng):
        return ()

    def to_move(self, state):
        return len(state) if len(state) < 2 else None

    def observe(self, state, seat):
        return "Say a number."

    def legal(self, state):
        return None

    def parse(self, text, state):
        return text.strip() if text.strip().isdigit() else None

    def step(self, state, action, rng):
        return (*state, action)

    def returns(self, state):
        return [-1.0, 1.0] if state[0] == state[1] else [1.0, -1.0]

    def opponents(self):
        return (self.Speaker(),)


def test_a_game_of_free_text_is_checked_with_its_own_players():
    assert check(SayANumber()) == []


class AddUp(Game):
    """The first seat says two numbers, the second, who sees the sum, a third. Its key remembers more than the sum."""

    name = "add_up"
    roles = ("first", "second")
    max_plies = 3

    def initial(self, rng):
        return ""

    def to_move(self, state):
        return (0, 0, 1, None)[len(state)]

    def observe(self, state, seat):
        return f"Sum: {sum(map(int, state))}"

    def legal(self, state):
        return ["1", "2"]

    def step(self, state, action, rng):
        return state + action

    def returns(self, state):
        return [1.0, -1.0] if sum(map(int, state)) % 2 else [-1.0, 1.0]

    def infostate_key(self, state, seat):
        return state


def test_a_key_may_remember_more_than_is_shown_where_nothing_is_hidden_and_may_not_where_something_is():
    game = AddUp()
    assert check(game) == []
    game.perfect_information = False
    assert [violation.law for violation in check(game)] == ["hidden information"]
