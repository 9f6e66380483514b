"""The files of the page: some for a server, some for WebAssembly, most for both."""

from pathlib import Path

SITE = Path(__file__).parent / "site"
PAGE = ("index.html", "page.css", "page.js", "icon.svg")
BACKEND = "backend.js"  # what the page asks, by the name that it knows
SERVER, WEB = "server.js", "web.js"  # what that is here, and where it is exported to
CORE = "cmow.wasm"  # made by `make web`
