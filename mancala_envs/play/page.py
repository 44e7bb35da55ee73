"""The page of the browser board: one HTML file with its script and style, which loads nothing else."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from mancala_envs.render.film import shared_style


def page() -> str:
    """Return the page. Its content security policy allows no script but its own."""
    folder = files("mancala_envs.play")
    html, script, style = (folder.joinpath(f"page.{kind}").read_text("utf-8") for kind in ("html", "js", "css"))
    script_hash = b64encode(sha256(script.encode()).digest()).decode()
    for name, content in {"#HASH#": script_hash, "#STYLE#": shared_style() + style, "#SCRIPT#": script}.items():
        html = html.replace(name, content)
    return html
