"""The page at /, and its files."""

from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cmow.serving.files import BACKEND, PAGE, SERVER, SITE

NAMES = {"/": PAGE[0], **{f"/{name}": name for name in PAGE[1:]}, f"/{BACKEND}": SERVER}
FILES = tuple(NAMES)
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"


def page_routes() -> list[Route]:
    """A route for each file."""
    return [_route(path, SITE / name) for path, name in NAMES.items()]


def _route(path: str, file: Path) -> Route:
    content = file.read_bytes()
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {
        "etag": tag,
        "cache-control": "no-cache",
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
    }

    async def give(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, headers={**headers, "content-type": TYPES[file.suffix]})

    return Route(path, give, methods=["GET"])
