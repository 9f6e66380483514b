"""The server's own OpenAPI description, of the types that requests are checked by."""

from importlib.metadata import version
from typing import Any

import msgspec

from cmow.serving.endpoints import ENDPOINTS, Endpoint
from cmow.serving.service import Service

JSON = "application/json"
REASONS = {
    "400": "Malformed, or not what this model can do",
    "401": "The API key is missing or wrong",
    "404": "There is no such thing",
    "408": "It took too long",
    "413": "Too many bytes, texts or tokens",
    "422": "Not as it should be",
    "503": "Too many requests are open: try again after Retry-After seconds",
}


def description(service: Service) -> dict[str, Any]:
    """The description, with the limits of this very server."""
    wanted = [each.takes for each in ENDPOINTS if each.takes]
    given = [each.gives for each in ENDPOINTS if each.gives]
    errors = list({each.error_type for each in ENDPOINTS})
    types = [*wanted, *given, *sorted(errors, key=lambda each: each.__name__)]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    by_type = {str(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    _tell_limits(components, service)
    paths: dict[str, dict[str, Any]] = {}
    for each in ENDPOINTS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, by_type)
    paths["/metrics"] = {"get": _text_operation("Counts for Prometheus")}
    secured = service.settings.api_key is not None
    key = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": f"cmow: {service.name}", "version": version("cmow")},
        "paths": paths,
        "components": {
            "schemas": components,
            **({"securitySchemes": {"key": key}} if secured else {}),
        },
        **({"security": [{"key": []}]} if secured else {}),
    }


def _operation(each: Endpoint, by_type: dict[str, Any]) -> dict[str, Any]:
    content = {JSON: {"schema": by_type[str(each.gives)]}} if each.gives else None
    error = {JSON: {"schema": by_type[str(each.error_type)]}}
    operation: dict[str, Any] = {
        "summary": each.summary,
        "operationId": each.answer.__name__,
        "responses": {
            "200": {"description": "The answer", **({"content": content} if content else {})},
            **{code: {"description": why, "content": error} for code, why in REASONS.items()},
        },
    }
    if each.takes:
        schema = by_type[str(each.takes)]
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    if "{" in each.path:
        name = each.path.partition("{")[2].partition("}")[0]
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    if each.open:
        operation["security"] = []
    return operation


def _text_operation(summary: str) -> dict[str, Any]:
    content = {"text/plain": {"schema": {"type": "string"}}}
    error = {"401": {"description": REASONS["401"]}, "503": {"description": REASONS["503"]}}
    return {
        "summary": summary,
        "responses": {"200": {"description": "The answer", "content": content}, **error},
    }


def _tell_limits(components: dict[str, Any], service: Service) -> None:
    """What depends on the model and the settings, and not on types."""
    most = service.settings.max_texts
    token = {"type": "integer", "minimum": 0, "maximum": len(service.encoder.vocabulary) - 1}
    tokens = {"type": "array", "items": token, "minItems": 1}
    inputs = {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most},
            tokens,
            {"type": "array", "items": {"type": "array", "items": token}, "minItems": 1,
             "maxItems": most},
        ]
    }  # fmt: skip
    components["EmbeddingsRequest"]["properties"]["input"] = inputs
    components["EmbedRequest"]["properties"]["inputs"] = inputs
    components["SimilarityInput"]["properties"]["sentences"]["maxItems"] = most - 1
    for name in ("EmbeddingsRequest", "EmbedRequest"):
        for choice in components[name]["properties"]["dimensions"]["anyOf"]:
            if choice.get("type") == "integer":
                choice["maximum"] = service.encoder.dim
