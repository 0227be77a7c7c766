"""What calls raise. No error contains the API key."""

from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from pydantic import ValidationError

from .models import Error, ErrorDetail

SHOWN_CHARACTERS = 200


class SupportError(Exception):
    """Any failure of a call."""

    status: int | None = None
    code: str | None = None
    retry_after: float | None = None


class ConnectionFailed(SupportError):
    """No reply came. `was_sent` is False if the service cannot have seen the request."""

    was_sent = True


class TimedOut(ConnectionFailed):
    """No reply came in time."""


class WebhookError(SupportError):
    """What was received is no event of the service."""


class ApiError(SupportError):
    """A reply that is no success. `code` is None if it is none of the API, but of a proxy, say; `body` is how it begins."""

    status: int
    message: str
    body: str
    request_id: str | None
    details: list[ErrorDetail]


class UnexpectedReply(ApiError):
    """A success that the API does not give: a page of a proxy, say, or a redirect."""


class InvalidRequest(ApiError):
    """400, 413, 415, 422: `details` says what is wrong."""


class Unauthorized(ApiError):
    """401: the key is missing, wrong, deleted or over."""


class Forbidden(ApiError):
    """403."""


class NotFound(ApiError):
    """404, 410."""


class Conflict(ApiError):
    """409, 412: the state is another one than the call expects."""


class RateLimited(ApiError):
    """429: again after `retry_after` seconds."""


class ServerError(ApiError):
    """500 and above."""


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
}
_CLASSES |= {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    410: NotFound,
    409: Conflict,
    412: Conflict,
    429: RateLimited,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error of a reply of 400 and above."""
    error = _made(_CLASSES.get(status, ServerError if status >= 500 else ApiError), status, headers, body)
    try:
        told = Error.model_validate_json(body)
    except ValidationError:
        return _worded(error, f"not an error of the API: {error.body!r}")
    error.code, error.details, error.request_id = told.error, told.details, told.request_id
    return _worded(error, told.message)


def unexpected(status: int, headers: Mapping[str, str], body: bytes, problem: str) -> ApiError:
    """The error of another reply that cannot be read."""
    error = _made(UnexpectedReply, status, headers, body)
    return _worded(error, f"{problem}: {error.body!r}")


def _made(kind: type[ApiError], status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    error = kind()
    error.status, error.retry_after = status, _seconds(headers.get("retry-after"))
    error.request_id, error.details = headers.get("x-request-id"), []
    error.body = body[: 4 * SHOWN_CHARACTERS].decode(errors="replace")[:SHOWN_CHARACTERS]
    return error


def _worded(error: ApiError, message: str) -> ApiError:
    error.message = message
    fields = "".join(f"; {detail.field}: {detail.message}" for detail in error.details)
    named = f" (request {error.request_id})" if error.request_id else ""
    error.args = (f"{error.status} {error.code or ''}".rstrip() + f": {message}{fields}{named}",)
    return error


def _seconds(retry_after: str | None) -> float | None:
    """The seconds of a `Retry-After`, which is a number of them or a date."""
    try:
        if retry_after is None or retry_after.strip().isdigit():
            return retry_after and float(retry_after)  # type: ignore[return-value]
        at = parsedate_to_datetime(retry_after)
        return max(0.0, (at.replace(tzinfo=at.tzinfo or timezone.utc) - datetime.now(timezone.utc)).total_seconds())
    except ValueError:
        return None
