"""When a call is sent again. No input or output is here: the sync and the async client carry out the steps."""

import random
import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from ._request import Reply, Request
from .errors import ConnectionFailed, NotFound, SupportError

BASE_SECONDS, CAP_SECONDS = 0.5, 8.0


@dataclass(frozen=True)
class Options:
    # Seconds for one attempt.
    timeout: float = 30.0
    # Seconds for all attempts of a call and the waits between them.
    deadline: float = 60.0
    # How often a call is sent again.
    retries: int = 2


@dataclass(frozen=True)
class Send:
    seconds: float


@dataclass(frozen=True)
class Wait:
    seconds: float


Outcome = Reply | ConnectionFailed | None


def steps_of(request: Request, options: Options) -> Generator[Send | Wait, Outcome, Any]:
    """Yields what to do, takes its outcome, and returns the result or raises the error of the call."""
    ends, may_be_done, attempt = time.monotonic() + options.deadline, False, 0
    while True:
        outcome = yield Send(max(0.001, min(options.timeout, ends - time.monotonic())))
        try:
            if isinstance(outcome, ConnectionFailed):
                raise outcome
            assert isinstance(outcome, Reply)
            return request.read(outcome)
        except SupportError as error:
            # The reply of the attempt that deleted it was lost.
            if may_be_done and request.method == "DELETE" and isinstance(error, NotFound) and error.code == "NOT_FOUND":
                return None
            # Full jitter, after the time that the service asks for.
            wait = random.uniform(0, min(CAP_SECONDS, BASE_SECONDS * 2**attempt)) + (error.retry_after or 0)
            if attempt >= options.retries or not _may_repeat(request, error) or time.monotonic() + wait >= ends:
                raise
            may_be_done = may_be_done or not _was_refused(error)
        attempt += 1
        yield Wait(wait)


def _was_refused(error: SupportError) -> bool:
    """Whether nothing can have been done."""
    return not error.was_sent if isinstance(error, ConnectionFailed) else error.status in (409, 429)


def _may_repeat(request: Request, error: SupportError) -> bool:
    if isinstance(error, ConnectionFailed):
        return request.may_be_repeated or not error.was_sent
    if error.status in (429, 503) or error.code == "IDEMPOTENCY_IN_PROGRESS":
        return True
    return error.status in (408, 500, 502, 504) and request.may_be_repeated
