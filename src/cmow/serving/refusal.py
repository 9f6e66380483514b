"""What a client did wrong, in one sentence."""


class Refusal(Exception):  # noqa: N818 (it is an answer)
    """An answer other than 200.

    :param param: the field of the request that is at fault
    :param headers: that the answer has beside its content
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.param = status, message, param
        self.headers = headers or {}


def openai_error(refusal: Refusal) -> dict[str, object]:
    """As clients of OpenAI expect it."""
    kind = "invalid_request_error" if refusal.status < 500 else "server_error"
    error = {"message": refusal.message, "type": kind, "param": refusal.param, "code": None}
    return {"error": error}


def tei_error(refusal: Refusal) -> dict[str, object]:
    """As text-embeddings-inference has it."""
    kinds = {503: "Overloaded", 500: "Backend", 413: "Validation", 422: "Validation"}
    return {"error": refusal.message, "error_type": kinds.get(refusal.status, "Request")}
