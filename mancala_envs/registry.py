"""The one list of games: every id, module name, docs page and test loop comes from it.

It pairs a rule book with its fast form, if it has one. Both are loaded when somebody asks for them.
"""

import copyreg
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from mancala_envs.core.book import Fast, RuleBook
from mancala_envs.game import Game


@dataclass(frozen=True)
class Entry:
    """One registered game. `name`: for `make_game`; `id_name`: as in `mancala_envs/MagazebII-v0`.

    `law`: the module of its `RULE_BOOK`; `fast`: that of its `FAST` form, "" where it has none. `has_campaign`:
    whether rounds can be tied together, as the book says too.
    """

    name: str
    id_name: str
    version: int
    law: str
    fast: str = ""
    has_campaign: bool = False

    @property
    def id(self) -> str:
        """Of the Gymnasium and the PettingZoo environment."""
        return f"mancala_envs/{self.id_name}-v{self.version}"

    @property
    def campaign_id(self) -> str:
        """Of the environments that play campaigns, as in `mancala_envs/QelatCampaign-v0`; "" without a campaign."""
        return f"mancala_envs/{self.id_name}Campaign-v{self.version}" if self.has_campaign else ""

    @property
    def module(self) -> str:
        """Of the PettingZoo convention, as in ``from mancala_envs import qelat_v0``."""
        return f"{self.name}_v{self.version}"

    @property
    def book(self) -> RuleBook:
        """The rules."""
        book: RuleBook = import_module(self.law).RULE_BOOK
        return book

    @property
    def fast_form(self) -> Fast | None:
        """Packed forms of some rules, if there are any; none with ``MANCALA_ENVS_FAST=0`` in the environment."""
        if not self.fast or os.environ.get("MANCALA_ENVS_FAST") == "0":
            return None
        fast: Fast = import_module(self.fast).FAST
        return fast


def _game(name: str, id_name: str, *, book: str = "", fast: bool = False, campaign: bool = False) -> Entry:
    book = book or name
    return Entry(name, id_name, 0, f"mancala_envs.games.{book}", f"mancala_envs.fast.{book}" if fast else "", campaign)


REGISTRY: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        _game("kalah", "Kalah", fast=True),
        _game("oware", "Oware", fast=True),
        _game("qelat", "Qelat", fast=True, campaign=True),
        _game("magazeb_ii", "MagazebII", book="qelat", fast=True, campaign=True),
        _game("puhulmutu", "Puhulmutu", fast=True, campaign=True),
        _game("walak_pussa", "WalakPussa", fast=True, campaign=True),
        _game("kotu_baendum", "KotuBaendum", fast=True, campaign=True),
        _game("daramutu", "Daramutu", fast=True, campaign=True),
        _game("ceelkoqyuqkoqiji", "Ceelkoqyuqkoqiji", fast=True, campaign=True),
        _game("dongjintian", "Dongjintian", fast=True),
        _game("zigulzoqge", "Zigulzoqge", fast=True),
        _game("nerenchi_keliya", "NerenchiKeliya", fast=True),
        _game("niranchy", "Niranchy", fast=True),
        _game("peralikatuma", "Peralikatuma", fast=True),
        _game("kotu_ellima", "KotuEllima", fast=True),
        _game("diviyan_keliya", "DiviyanKeliya", fast=True),
        _game("hat_diviyan_keliya", "HatDiviyanKeliya", fast=True),
        _game("koti_keliya", "KotiKeliya", fast=True),
        _game("dam", "Dam", fast=True),
        _game("pancha_keliya", "PanchaKeliya"),
        _game("pancha_keliya_complex", "PanchaKeliyaComplex"),
        _game("kawade_kelia", "KawadeKelia"),
        _game("sokkattan", "Sokkattan", fast=True),
        _game("pahada_keliya", "PahadaKeliya"),
        _game("asi_keliya", "AsiKeliya"),
        _game("tayam_sonalu", "TayamSonalu"),
        _game("saturankam", "Saturankam"),
    )
}


def entry(name: str) -> Entry:
    """The entry of a game. Raises ValueError for an unknown name, listing the known."""
    if name not in REGISTRY:
        raise ValueError(f"there is no game {name!r}; there are {', '.join(REGISTRY)}")
    return REGISTRY[name]


def distinct(names: Iterable[str] = REGISTRY) -> list[str]:
    """Return names of different games: of several names of one game only the first."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(entry(name).law, name)
    return list(found.values())


def make_game(name: str, campaign: bool = False, **options: Any) -> Game:
    """The bare rules of a game over batches of states.

    Raises ValueError for an unknown game, for a value an option does not allow and for a campaign the game does not
    have; TypeError for an unknown option. Each lists what is allowed. With ``MANCALA_ENVS_DEBUG=1`` in the environment
    the rules are first tried as plain Python.
    """
    known = entry(name)
    game = Game(known.book, name, campaign, options, known.fast_form)
    if os.environ.get("MANCALA_ENVS_DEBUG") == "1":
        game.try_plain()
    return game


def _remake(name: str, campaign: bool, options: dict[str, Any]) -> Game:
    return make_game(name, campaign, **options)


def _as_made(game: Game) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    return _remake, (game.name, game.campaign, game.options)


# Compiled rules cannot be pickled: a copy of a game is made anew by its name.
copyreg.pickle(Game, _as_made)
