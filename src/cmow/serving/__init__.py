"""An encoder behind HTTP: OpenAI's and TEI's endpoints, search, and a page that shows it."""

from typing import TYPE_CHECKING

from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.serving.app import make_app
    from cmow.serving.export import export_web
    from cmow.serving.server import serve
    from cmow.serving.service import Service
    from cmow.serving.settings import ServeSettings

__all__ = ["ServeSettings", "Service", "export_web", "make_app", "serve"]

__getattr__ = lazy_names(
    __name__,
    app=["make_app"],
    export=["export_web"],
    server=["serve"],
    service=["Service"],
    settings=["ServeSettings"],
)
