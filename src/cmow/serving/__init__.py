"""An encoder behind HTTP: OpenAI's and TEI's endpoints, search, and a page that shows it."""

from typing import TYPE_CHECKING, Any

from cmow.errors import require
from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.serving.app import make_app
    from cmow.serving.export import export_web
    from cmow.serving.server import serve
    from cmow.serving.service import Service
    from cmow.serving.settings import ServeSettings

__all__ = ["ServeSettings", "Service", "export_web", "make_app", "serve"]

# What these do needs the extra; a page is exported without it.
PACKAGES = ("httptools", "msgspec", "orjson", "starlette", "uvicorn")
SERVING = ("Service", "make_app", "serve")

_get = lazy_names(
    __name__,
    app=["make_app"],
    export=["export_web"],
    server=["serve"],
    service=["Service"],
    settings=["ServeSettings"],
)


def __getattr__(name: str) -> Any:
    if name in SERVING:
        for package in PACKAGES:
            require(package, "serve")
    return _get(name)
