"""Views of what games tell beside rulings: what to do now, questions before an accusation, points of a turn."""

from __future__ import annotations

from referee.games.answers import Question, TurnAccount
from referee.games.contract import Accounts, Explains, Prompts, TellsWhy
from referee.match.events import AnyGame, names
from referee.match.phases import Phase
from referee.match.state import Entry, TableState, What
from referee.values.words import Words, say
from referee.view.banner import ViewState


def prompt_of(game: AnyGame, state: TableState) -> Words | None:
    """Return what the player to move is to do now, where the game says so."""
    asked = isinstance(game, Prompts) and state.phase is Phase.PLAYING
    return game.prompt(state.position) if asked and isinstance(game, Prompts) else None


def why_over(game: AnyGame, state: TableState) -> Words | None:
    """Return what decided a game that is over, where the game says so."""
    last = state.last_counting
    if state.result is not None or not state.position.finished:
        return None
    if last is not None and last.what is What.RESIGNED:
        return say("All others gave up.")
    return game.why_over(state.position) if isinstance(game, TellsWhy) else None


def explained_view(game: AnyGame, state: TableState, language: str) -> ViewState:
    """Return how the game is played and how its turns are written, both empty where it does not say."""
    if not isinstance(game, Explains):
        return {"how": [], "signs": []}
    found = game.explained(state.position)
    return {
        "how": [line.text(language) for line in found.how],
        "signs": [{"sign": sign, "words": words.text(language)} for sign, words in found.signs],
    }


def question_view(question: Question | None, language: str) -> ViewState | None:
    """Return the question before a turn is called illegal, with the declaration each reply stands for."""
    if question is None:
        return None
    return {
        "words": question.words.text(language),
        "why": question.why.text(language),
        "replies": [
            {
                "id": reply.id,
                "name": reply.name.text(language),
                "explains": reply.explains.text(language) if reply.explains else "",
                "declared": dict(reply.declared),
            }
            for reply in question.replies
        ],
        "no": question.no.text(language),
    }


def account_of(game: AnyGame, entry: Entry | None) -> TurnAccount | None:
    """Return the points an entry of the record brought."""
    ruling = entry.ruled.ruling if entry is not None and entry.ruled is not None else None
    if entry is None or ruling is None or not entry.counts or not isinstance(game, Accounts):
        return None
    return game.account(entry.before, ruling)


def account_view(account: TurnAccount | None, language: str) -> ViewState | None:
    """Return points, player by player and line by line."""
    if account is None:
        return None
    return {
        "title": account.title.text(language),
        "shares": [
            {
                "player": share.player.word,
                "place": share.place,
                "before": share.score[0],
                "after": share.score[1],
                "lines": [
                    {"words": line.words.text(language), "points": line.points, "fields": names(line.fields)}
                    for line in share.lines
                ],
            }
            for share in account.shares
        ],
        "notes": [note.text(language) for note in account.notes],
    }
