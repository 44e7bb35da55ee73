"""The page: one file of HTML with its script and style, which loads nothing from anywhere."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from mancala_envs.render.film import look


def page() -> str:
    """The page, which plays with the server that it comes from; it runs no other script than its own."""
    folder = files("mancala_envs.play")
    whole, script, style = (folder.joinpath(f"page.{kind}").read_text("utf-8") for kind in ("html", "js", "css"))
    hashed = b64encode(sha256(script.encode()).digest()).decode()
    for name, content in {"#HASH#": hashed, "#STYLE#": look() + style, "#SCRIPT#": script}.items():
        whole = whole.replace(name, content)
    return whole
