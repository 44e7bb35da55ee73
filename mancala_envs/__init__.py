"""Traditional mancala games for reinforcement learning; importing this registers every environment id."""

from pathlib import Path

# In a bare checkout the wrappers stand beside this folder, not in it; an installed package has them inside.
_root = Path(__file__).parents[1]
if (_root / "wrappers" / "__init__.py").is_file() and (_root / "pyproject.toml").is_file():
    __path__.append(str(_root))

from mancala_envs.registry import make_game  # noqa: E402

__all__ = ["make_game"]
