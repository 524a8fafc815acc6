"""Name a copy's cards for people: as they are printed, those of the invented copy in the language that is read."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.files import EXAMPLE
from referee.values.words import Words, say, verbatim

_INVENTED: Mapping[str, Words] = {
    "Usine": say("Factory"),
    "Scierie": say("Sawmill"),
    "Chalutiers": say("Trawlers"),
    "Grandes cultures": say("Large fields"),
    "Auberges": say("Inns"),
    "Artisans": say("Craft shops"),
    "Maraîchage": say("Market gardens"),
    "École": say("School"),
    "Réserve naturelle": say("Nature reserve"),
    "Station d’épuration": say("Sewage works"),
    "Salle de concert": say("Concert hall"),
    "Reboisement": say("Reforestation"),
    "Hôpital": say("Hospital"),
    "Centrale à charbon": say("Coal power station"),
    "Centrale à gaz": say("Gas power station"),
    "Éoliennes": say("Wind turbines"),
    "Barrage": say("Dam"),
    "Toits solaires": say("Solar roofs"),
    "Tempête": say("Storm"),
    "Grippe": say("Flu"),
    "Bonne récolte": say("Good harvest"),
    "Don": say("Gift"),
    "Marée noire": say("Oil spill"),
    "Grève": say("Strike"),
    "Sécheresse": say("Drought"),
    "Fête du fleuve": say("River festival"),
    "Panne de courant": say("Power cut"),
}
"""No printed card bears these names, so that nobody looks for them on the table."""


def card_name(copy: GameCopy, name: str) -> Words:
    """Return how a card of a copy is called. name: as its data has it."""
    return (_INVENTED.get(name) if copy.name == EXAMPLE.stem else None) or verbatim(name)
