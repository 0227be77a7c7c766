"""What calls raise. No error contains the API key."""

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from pydantic import ValidationError

from .models import Error, ErrorDetail

SHOWN_CHARACTERS = 200
# The most that a timer of the TypeScript client can wait.
MOST_SECONDS = 2_147_483.0


class SupportError(Exception):
    """Any failure of a call. `maybe_done`: the service may have carried it out all the same."""

    maybe_done = False
    status: int | None = None
    code: str | None = None
    retry_after: float | None = None


class ConnectionFailed(SupportError):
    """No reply came."""

    maybe_done = True


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


_CLASSES: dict[int, type[ApiError]] = {401: Unauthorized, 403: Forbidden, 404: NotFound, 410: NotFound}
_CLASSES |= dict.fromkeys((400, 413, 415, 422), InvalidRequest) | dict.fromkeys((409, 412), Conflict)
_CLASSES[429] = RateLimited


def error_of(
    status: int, headers: Mapping[str, str], body: bytes, problem: str | None = None, hint: str = ""
) -> ApiError:
    """The error of a reply of 400 and above, or of another reply with a `problem`."""
    usual = ServerError if status >= 500 else ApiError
    error = UnexpectedReply() if problem else _CLASSES.get(status, usual)()
    error.status, error.retry_after = status, _seconds(headers.get("retry-after"), headers.get("date"))
    error.maybe_done = status >= 500 or status < 400 or status == 408
    error.request_id, error.details = headers.get("x-request-id"), []
    error.body = body[: 4 * SHOWN_CHARACTERS].decode(errors="replace")[:SHOWN_CHARACTERS]
    error.message = f"{problem or 'not an error of the API'}: {error.body!r}"
    try:
        told = Error.model_validate_json(b"" if problem else body)
    except ValidationError:
        pass
    else:
        error.code, error.message = told.error, told.message
        error.details, error.request_id = told.details, told.request_id
        # The first one may yet end well.
        error.maybe_done |= told.error == "IDEMPOTENCY_IN_PROGRESS"
    fields = "".join("; " + ": ".join(filter(None, (detail.field, detail.message))) for detail in error.details)
    named = f" (request {error.request_id})" if error.request_id else ""
    error.args = (f"{error.status} {error.code or ''}".rstrip() + f": {error.message}{fields}{hint}{named}",)
    return error


def _seconds(retry_after: str | None, date: str | None) -> float | None:
    """The seconds of a `Retry-After`, which is a number of them or a date. That counts from the service's own clock."""
    try:
        if not retry_after or retry_after.isdecimal():
            return min(float(retry_after), MOST_SECONDS) if retry_after else None
        now = parsedate_to_datetime(date).timestamp() if date else time.time()
        return min(max(0.0, parsedate_to_datetime(retry_after).timestamp() - now), MOST_SECONDS)
    except (ValueError, OverflowError):
        return None
