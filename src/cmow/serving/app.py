"""The ASGI application: routes to endpoints, JSON in and out."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import orjson
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from cmow.serving.endpoints import ENDPOINTS, Endpoint
from cmow.serving.gate import TALLY, Gate
from cmow.serving.metrics import Metrics
from cmow.serving.openapi import description
from cmow.serving.page import FILES, page_routes
from cmow.serving.refusal import Refusal, openai_error, tei_error
from cmow.serving.service import Service

AT_ONCE = 1 << 16  # bytes of requests that are worked on without a thread of their own
METRICS, OPENAPI = "/metrics", "/openapi.json"
PATHS = (*(endpoint.path for endpoint in ENDPOINTS), METRICS, OPENAPI, *FILES)
Handle = Callable[[Request], Awaitable[Response]]


def make_app(service: Service, metrics: Metrics | None = None) -> Gate:
    """The application of a service, for any ASGI server.

    :param metrics: that other workers write to as well
    """
    counted = metrics or make_metrics()
    described = orjson.dumps(description(service))

    async def show_metrics(_: Request) -> Response:
        return PlainTextResponse(counted.text(), media_type="text/plain; version=0.0.4")

    async def show_description(_: Request) -> Response:
        return Response(described, media_type="application/json")

    routes = [
        *(Route(each.path, _handler(each, service), methods=[each.method]) for each in ENDPOINTS),
        Route(METRICS, show_metrics, methods=["GET"]),
        Route(OPENAPI, show_description, methods=["GET"]),
        *page_routes(),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            Refusal: _refused,
            404: _refused_by_starlette,
            405: _refused_by_starlette,
            500: _failed,
        },
    )
    unlocked = (OPENAPI, *FILES, *(each.path for each in ENDPOINTS if each.open))
    return Gate(app, service.settings, counted, refusal_answer, unlocked)


def make_metrics(workers: int = 1) -> Metrics:
    """Counts of this application's endpoints."""
    return Metrics(PATHS, workers)


def refusal_answer(
    scope: dict[str, Any], refusal: Refusal
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Status, headers and content of a refusal, in the style of the endpoint."""
    error = openai_error if scope["path"].startswith("/v1/") else tei_error
    body = orjson.dumps(error(refusal))
    headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        **refusal.headers,
    }
    return refusal.status, [(k.encode(), v.encode()) for k, v in headers.items()], body


def _handler(endpoint: Endpoint, service: Service) -> Handle:
    decoder: Any = msgspec.json.Decoder(endpoint.takes) if endpoint.takes else None

    async def handle(request: Request) -> Response:
        asked: Any = next(iter(request.path_params.values()), None)
        size = 0
        if decoder is not None:
            body = await _body(request, service.settings.max_bytes)
            asked, size = _decoded(decoder, body, endpoint), len(body)
        tally = request.scope[TALLY]

        def work() -> bytes:
            try:
                answer = endpoint.answer(service, asked, tally)
            except Refusal as refusal:
                if refusal.status == 422:
                    refusal.status = endpoint.invalid
                raise
            if endpoint.gives is None:
                return b""
            return orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY)

        if endpoint.long or size > AT_ONCE:
            content = await asyncio.to_thread(work)
        else:
            content = work()
        return Response(content, media_type="application/json" if content else None)

    return handle


async def _body(request: Request, most: int) -> bytes:
    """The content of a request, of which no more is read than is allowed."""
    announced = int(request.headers.get("content-length", 0))
    pieces, size = [], 0
    if announced > most:
        raise _too_long(most)
    try:
        async for piece in request.stream():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise _too_long(most)
    except ClientDisconnect:
        raise Refusal(400, "the client went away") from None  # which is for the log alone
    return b"".join(pieces)


def _too_long(most: int) -> Refusal:
    message = f"the request has more than {most} bytes: send several"
    return Refusal(413, message, headers={"connection": "close"})


def _decoded(decoder: Any, body: bytes, endpoint: Endpoint) -> Any:
    try:
        try:
            return decoder.decode(body)
        except msgspec.ValidationError:
            return msgspec.convert(_with_whole_numbers(msgspec.json.decode(body)), endpoint.takes)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        param = place.strip(".`").partition("[")[0] or None
        where = f"{param}: " if param else ""
        raise Refusal(endpoint.invalid, f"{where}{message}", param=param) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(400, f"the request is not JSON in UTF-8: {error}") from None


def _with_whole_numbers(value: Any) -> Any:
    """The same with 3 for 3.0, which is the same in JSON, and what some clients write."""
    if isinstance(value, dict):
        return {key: _with_whole_numbers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    status, headers, body = refusal_answer(dict(request.scope), error)
    return Response(body, status, headers={k.decode(): v.decode() for k, v in headers})


async def _refused_by_starlette(request: Request, error: Exception) -> Response:
    status: int = getattr(error, "status_code", 404)
    message = {
        404: f"there is no {request.url.path}: see {OPENAPI}",
        405: f"{request.url.path} does not take {request.method}: see {OPENAPI}",
    }[status]
    return await _refused(
        request, Refusal(status, message, headers=dict(getattr(error, "headers", None) or {}))
    )


async def _failed(request: Request, _: Exception) -> Response:
    return await _refused(request, Refusal(500, "the server failed at this: its log says why"))
