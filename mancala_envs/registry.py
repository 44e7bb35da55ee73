"""The one list of games: every id, module name, docs page and test loop comes from it."""

from dataclasses import dataclass
from typing import Any

from mancala_envs.core.game import Game, RuleBook
from mancala_envs.games import (
    ceelkoqyuqkoqiji,
    daramutu,
    dongjintian,
    kalah,
    kotu_baendum,
    oware,
    puhulmutu,
    qelat,
    walak_pussa,
    zigulzoqge,
)


@dataclass(frozen=True)
class Entry:
    """One registered game. `name`: for `make_game`; `id_name`: as in `mancala_envs/MagazebII-v0`."""

    name: str
    id_name: str
    version: int
    book: RuleBook

    @property
    def id(self) -> str:
        """Of the Gymnasium and the PettingZoo environment."""
        return f"mancala_envs/{self.id_name}-v{self.version}"

    @property
    def campaign_id(self) -> str:
        """Of the environments that play campaigns, as in `mancala_envs/QelatCampaign-v0`; "" without a campaign."""
        return f"mancala_envs/{self.id_name}Campaign-v{self.version}" if self.book.has_campaign else ""

    @property
    def module(self) -> str:
        """Of the PettingZoo convention, as in ``from mancala_envs import qelat_v0``."""
        return f"{self.name}_v{self.version}"


REGISTRY: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("kalah", "Kalah", 0, kalah.RULE_BOOK),
        Entry("oware", "Oware", 0, oware.RULE_BOOK),
        Entry("qelat", "Qelat", 0, qelat.RULE_BOOK),
        Entry("magazeb_ii", "MagazebII", 0, qelat.RULE_BOOK),
        Entry("puhulmutu", "Puhulmutu", 0, puhulmutu.RULE_BOOK),
        Entry("walak_pussa", "WalakPussa", 0, walak_pussa.RULE_BOOK),
        Entry("kotu_baendum", "KotuBaendum", 0, kotu_baendum.RULE_BOOK),
        Entry("daramutu", "Daramutu", 0, daramutu.RULE_BOOK),
        Entry("ceelkoqyuqkoqiji", "Ceelkoqyuqkoqiji", 0, ceelkoqyuqkoqiji.RULE_BOOK),
        Entry("dongjintian", "Dongjintian", 0, dongjintian.RULE_BOOK),
        Entry("zigulzoqge", "Zigulzoqge", 0, zigulzoqge.RULE_BOOK),
    )
}


def entry(name: str) -> Entry:
    """The entry of a game. Raises ValueError for an unknown name, listing the known."""
    if name not in REGISTRY:
        raise ValueError(f"there is no game {name!r}; there are {', '.join(REGISTRY)}")
    return REGISTRY[name]


def make_game(name: str, campaign: bool = False, **options: Any) -> Game:
    """The bare rules of a game over batches of states.

    Raises ValueError for an unknown game, for a value an option does not allow and for a campaign the game does not
    have; TypeError for an unknown option. Each lists what is allowed.
    """
    return Game(entry(name).book, name, campaign, options)
