"""One call, as it is sent and as its reply is read."""

import json
import platform
import uuid
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import version
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, TypeAdapter, ValidationError

from ._model import keep_headers
from .errors import ApiError, error_of

USER_AGENT = f"support-assistant-python/{version('support-assistant')} python/{platform.python_version()} httpx2/{httpx2.__version__}"


def segment(identifier: str) -> str:
    """One segment of an address. What would name another resource is refused."""
    if identifier in ("", ".", ".."):
        raise ValueError(f"{identifier!r} is no id")
    return quote(identifier, safe="")


def wiki_path(path: str) -> str:
    """The path of an entry, whose slashes stand as they are."""
    return "/".join(segment(part) for part in path.split("/"))


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Request(NamedTuple):
    method: str
    url: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    # The same bytes on every attempt: another body with the same idempotency key would be refused.
    content: bytes | None
    result: Any

    def read(self, reply: Reply) -> Any:
        """The result; raises the error that the reply is."""
        if reply.status == 304 and "If-None-Match" in self.headers or reply.status == 204 and self.result is None:
            return None
        if reply.status >= 400:
            is_short = reply.status == 404 and "/api/v1/" not in self.url
            raise error_of(*reply, hint="; base_url has no /api/v1" if is_short else "")
        if self.result is None or reply.status not in (200, 201, 202):
            raise self._unexpected(reply, "not a reply of the API")
        try:
            result = _reader(self.result).validate_python(json.loads(reply.body))
        except (ValueError, RecursionError) as error:
            if not isinstance(error, ValidationError):
                raise self._unexpected(reply, "not JSON") from None
            first = error.errors(include_url=False, include_input=False)[0]
            problem = f"not as the API describes it, at {'.'.join(map(str, first['loc'])) or 'the top'}, {first['msg']}"
            raise self._unexpected(reply, problem) from None
        keep_headers(result, reply.headers)
        return result

    def _unexpected(self, reply: Reply, problem: str) -> ApiError:
        return error_of(*reply, f"{self.method} {self.url}: {problem}")


_reader = lru_cache(maxsize=None)(TypeAdapter)


def request_of(
    method: str, url: str, result: Any, headers: Mapping[str, str | None],
    query: Mapping[str, Any] = {}, body: BaseModel | None = None,
) -> Request:  # fmt: skip
    if body is not None and not isinstance(body, BaseModel):
        raise TypeError(f"the body is no model, such as models.NewSession(...), but of the type {type(body).__name__}")
    sent = {"Accept": "application/json", "User-Agent": USER_AGENT}
    sent |= {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
    # What was never set stays away; None that was set is `null`, which clears.
    content = body.model_dump_json(by_alias=True, exclude_unset=True).encode() if body else None
    sent |= {"Content-Type": "application/json"} if content else {}
    sent |= {name: value for name, value in headers.items() if value is not None}
    if bad := [name for name, value in sent.items() if not value.isascii() or not value.isprintable()]:
        raise ValueError(f"{bad[0]} has a character that no header can have")
    # The API's `true` and `false` are Python's in lower case.
    given = [(name, value) for name, value in query.items() if value is not None]
    asked = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given}
    return Request(method, url, asked, sent, content, result)
