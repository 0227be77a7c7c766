"""When a call is sent again. No input or output is here: the sync and the async client carry out the steps."""

import itertools
import random
import time
from collections.abc import Generator
from typing import Any, Literal, NamedTuple

from ._request import Reply, Request
from .errors import ConnectionFailed, NotFound, SupportError

BASE_SECONDS, CAP_SECONDS = 0.5, 8.0
AGAIN, UNLESS_PATCH = (429, 503), (408, 500, 502, 504)
Step = tuple[Literal["send", "wait"], float]
Outcome = Reply | ConnectionFailed | None


class Options(NamedTuple):
    # Seconds for one attempt. The service's gateway takes up to 30.
    timeout: float = 35.0
    # Seconds for all attempts of a call and the waits between them.
    deadline: float = 60.0
    # How often a call is sent again.
    retries: int = 2


def steps_of(request: Request, options: Options) -> Generator[Step, Outcome, Any]:
    """Yields what to do, takes its outcome, and returns the result or raises the error of the call."""
    ends, maybe_done, postponed = time.monotonic() + options.deadline, False, 0
    for attempt in itertools.count():
        outcome = yield "send", max(0.001, min(options.timeout, ends - time.monotonic()))
        try:
            if not isinstance(outcome, Reply):
                raise outcome or ConnectionFailed()
            return request.read(outcome)
        except SupportError as error:
            # The reply of the attempt that deleted it was lost.
            if maybe_done and request.method == "DELETE" and isinstance(error, NotFound) and error.code == "NOT_FOUND":
                return None
            error.maybe_done = maybe_done = maybe_done or error.maybe_done and request.method != "GET"
            # Full jitter, after the time that the service asks for.
            wait = random.uniform(0, min(CAP_SECONDS, BASE_SECONDS * 2 ** min(attempt, 9))) + (error.retry_after or 0)
            # The service says when it takes the request: that costs no try.
            postponed += error.status in AGAIN and error.retry_after is not None
            is_left = options.retries > 0 and attempt - postponed < options.retries and time.monotonic() + wait < ends
            if goes_on := is_left and _may_repeat(request, error):
                yield "wait", wait
            # The machine may have slept in the pause.
            if not goes_on or time.monotonic() >= ends:
                raise


def _may_repeat(request: Request, error: SupportError) -> bool:
    """A PATCH that may be done is not repeated: it would undo what others changed since, unless it has `If-Match`."""
    if error.status in AGAIN or error.code == "IDEMPOTENCY_IN_PROGRESS":
        return True
    is_safe = request.method != "PATCH" or "If-Match" in request.headers or not error.maybe_done
    return is_safe and (isinstance(error, ConnectionFailed) or error.status in UNLESS_PATCH)
