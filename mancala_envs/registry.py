"""The list of games. All ids, module names, pages of the documentation and tests over all games come from it.

An entry names a game's rule book and, if there is one, its fast form. Both are imported at first use.
"""

import copyreg
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import gymnasium as gym

from mancala_envs.core.arguments import did_you_mean, short
from mancala_envs.core.book import Fast, RuleBook
from mancala_envs.core.names import makes_games
from mancala_envs.core.notation import game_of_position
from mancala_envs.game import Game


@dataclass(frozen=True)
class Entry:
    """A registered game."""

    name: str
    """Name for `make_game`."""
    id_name: str
    """Name in ids, such as `MagazebII` in `mancala_envs/MagazebII-v0`."""
    version: int
    """Version of the game; it increases when its behaviour changes."""
    book_module: str
    """Module with the game's `RULE_BOOK`."""
    fast: str = ""
    """Module with its `FAST` form; "" if it has none."""
    has_campaign: bool = False
    """Whether the rule book has a campaign."""

    @property
    def id(self) -> str:
        """Id of the Gymnasium and PettingZoo environments."""
        return f"mancala_envs/{self.id_name}-v{self.version}"

    @property
    def campaign_id(self) -> str:
        """Id of the environments of campaigns, such as `mancala_envs/QelatCampaign-v0`; "" without a campaign."""
        return f"mancala_envs/{self.id_name}Campaign-v{self.version}" if self.has_campaign else ""

    @property
    def module(self) -> str:
        """Name of the PettingZoo module, as in ``from mancala_envs import qelat_v0``."""
        return f"{self.name}_v{self.version}"

    @property
    def book(self) -> RuleBook:
        """The rule book."""
        book: RuleBook = import_module(self.book_module).RULE_BOOK
        return book

    @property
    def fast_form(self) -> Fast | None:
        """Faster forms of some rules; None if there are none, or if the variable ``MANCALA_ENVS_FAST`` is 0."""
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
        _game("togyz_kumalak", "TogyzKumalak", fast=True),
        _game("bestemshe", "Bestemshe", fast=True),
        _game("qelat", "Qelat", fast=True, campaign=True),
        _game("magazeb_ii", "MagazebII", book="qelat", fast=True, campaign=True),
        _game("puhulmutu", "Puhulmutu", fast=True, campaign=True),
        _game("walak_pussa", "WalakPussa", fast=True, campaign=True),
        _game("kotu_baendum", "KotuBaendum", fast=True, campaign=True),
        _game("daramutu", "Daramutu", fast=True, campaign=True),
        _game("congkak", "Congkak", fast=True, campaign=True),
        _game("pallanguzhi", "Pallanguzhi", campaign=True),
        _game("ceelkoqyuqkoqiji", "Ceelkoqyuqkoqiji", fast=True, campaign=True),
        _game("dongjintian", "Dongjintian", fast=True),
        _game("zigulzoqge", "Zigulzoqge", fast=True),
        _game("hus", "Hus", fast=True),
        _game("omweso", "Omweso", fast=True),
        _game("bao", "Bao", fast=True),
        _game("baokujifunza", "BaoKujifunza", fast=True),
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
    """Return the entry of a game.

    Args:
        name: the game's registered name.

    Raises:
        ValueError: if the name is unknown; the message has the most similar name and lists the known ones.
    """
    if not isinstance(name, str) or name not in REGISTRY:
        ids = (each for known in REGISTRY.values() for each in (known.id, known.campaign_id) if each)
        similar = did_you_mean(name, [*REGISTRY, *ids])
        raise ValueError(f"there is no game {short(name)}{similar}; there are {', '.join(REGISTRY)}")
    return REGISTRY[name]


def read_game(game: Game | str, campaign: bool = False, **options: Any) -> tuple[str, bool, dict[str, Any]]:
    """Return the name of a game, whether it is a campaign, and its options, as text and dict that can be saved.

    >>> read_game("kalah(seeds=3)")
    ('kalah', False, {'seeds': 3})
    >>> read_game("mancala_envs/QelatCampaign-v0", columns=4)
    ('qelat', True, {'columns': 4})

    Args:
        game: as `make_game` takes it; of a `Game`, only the options that differ from their defaults are returned.
        campaign: whether to play campaigns; also the case if `game` says so.
        options: options of the game; they override those of `game`.

    Raises:
        ValueError: if the game is unknown or the text cannot be read.
    """
    if isinstance(game, Game):
        game = game.header
    if isinstance(game, str):
        of_id = dict(found.kwargs) if (found := gym.registry.get(game.rpartition(":")[2])) else {}
        if "game" in of_id:
            name, of_id_campaign = of_id.pop("game"), of_id.pop("campaign", False)
            return read_game(name, campaign or of_id_campaign, **of_id | options)
        if "(" in game:
            name, of_text_campaign, of_text = game_of_position(game.replace(" ", ""))
            return entry(name).name, campaign or of_text_campaign, of_text | options
    return entry(game).name, campaign, options


def title_of(game: Game | str, campaign: bool = False, **options: Any) -> str:
    """Return the title of a game or of its campaigns, with its options, for tables and pictures.

    >>> title_of("qelat(columns=4,campaign=True)")
    'Qelat campaigns, columns=4'

    Args:
        game: as `make_game` takes it.
        campaign: whether to play campaigns; also the case if `game` says so.
        options: options of the game.
    """
    name, campaign, options = read_game(game, campaign, **options)
    shown = [f"{option}={value}" for option, value in options.items()]
    return ", ".join([REGISTRY[name].book.title + " campaigns" * campaign, *shown])


def distinct(names: Iterable[str] = REGISTRY) -> list[str]:
    """Return one name for each rule book: the first of `names` whose game has that book.

    Args:
        names: registered names.
    """
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(entry(name).book_module, name)
    return list(found.values())


def games_with_campaigns() -> list[str]:
    """Return the games with campaigns for two players, one name for each rule book."""
    return [name for name in distinct() if REGISTRY[name].book.campaign and make_game(name).num_players == 2]


def make_game(game: Game | str, campaign: bool = False, **options: Any) -> Game:
    """Return a `Game`: the rules of a game with its options, which play batches of states.

    Everything that takes a game takes what this function takes.

    If the environment variable ``MANCALA_ENVS_DEBUG`` is 1, some decisions are first played with the rules as plain
    Python, so that an error names its line.

    >>> game = make_game("qelat", campaign=True)
    >>> states = game.init(4096, seed=7)

    Args:
        game: a registered name, such as `"kalah"`; a name with options, such as `"kalah(seeds=3)"`; an id of Gymnasium,
            such as `"mancala_envs/Kalah-v0"`; or a `Game`, which is returned as it is if nothing changes.
        campaign: whether to play campaigns of several rounds; also the case if `game` says so.
        options: options of the game, see its page; they override those of `game`.

    Raises:
        ValueError: if the game is unknown, a value of an option is not allowed, or the game has no campaign.
        TypeError: if the game does not have one of the options.
    """
    if isinstance(game, Game):
        if not options and campaign in (False, game.campaign):
            return game
        known = REGISTRY.get(game.name)
        fast = known.fast_form if known and known.book is game.book else None
        made = Game(game.book, game.name, campaign or game.campaign, game.changed_options | options, fast)
    else:
        name, campaign, options = read_game(game, campaign, **options)
        made = Game(REGISTRY[name].book, name, campaign, options, REGISTRY[name].fast_form)
    if os.environ.get("MANCALA_ENVS_DEBUG") == "1":
        made.try_plain()
    return made


makes_games(make_game)


def _remake(name: str, campaign: bool, options: dict[str, Any]) -> Game:
    return make_game(name, campaign, **options)


def _as_made(game: Game) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    return _remake, (game.name, game.campaign, game.options)


# Compiled rules cannot be pickled, so a copy of a game is made by its name.
copyreg.pickle(Game, _as_made)
