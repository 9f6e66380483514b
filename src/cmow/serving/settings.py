"""What can be said about a server."""

from dataclasses import dataclass

from cmow.settings import Settings, count, optional, positive, setting, switch, text, whole


@dataclass(frozen=True)
class ServeSettings(Settings):
    """Where a server listens, and how much it takes."""

    host: str = setting("127.0.0.1", text("HOST"), "address to listen at; 0.0.0.0 is all of them")
    port: int = setting(8000, whole(0, 65535), "port to listen at; 0 takes any that is free")
    workers: int = setting(1, whole(1, 1024), "processes, which share the model in memory")
    name: str | None = setting(
        None, optional(text("NAME")), "what clients call the model; else its folder's name"
    )
    api_key: str | None = setting(
        None,
        optional(text("KEY")),
        "what clients have to send; better in the environment, as CMOW_API_KEY",
    )
    max_texts: int = setting(2048, count(1), "texts in a request", heading="Limits")
    max_tokens: int = setting(300_000, count(1), "tokens in a request")
    max_bytes: int = setting(16 << 20, count(1), "bytes of a request")
    max_requests: int = setting(64, count(1), "requests that a worker has open at a time")
    max_connections: int = setting(1000, count(1), "connections that a worker holds")
    time_limit: float = setting(30.0, positive(), "seconds for a request, or until it is whole")
    shutdown_time: float = setting(30.0, positive(), "seconds to finish open requests at the end")
    access_log: bool = setting(True, switch(), "write a line of JSON per request to stdout")
