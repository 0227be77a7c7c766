"""The clients: they send, wait, and leave what to do to `_retry`."""

import copy
import os
import re
import time
from collections.abc import Collection, Generator, Mapping
from typing import Any, Generic, TypeVar

import anyio
import httpx2
from typing_extensions import Self

from ._calls import AsyncCalls, Calls
from ._chat import ChatReply, visitor_of
from ._request import Reply, Request, request_of
from ._retry import Options, Outcome, steps_of
from .errors import ConnectionFailed, SupportError, TimedOut
from .models import TokenUser

Headers = Mapping[str, str]
Http = TypeVar("Http", httpx2.Client, httpx2.AsyncClient)
NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
FAILURES = (httpx2.TransportError, httpx2.DecodingError, TimeoutError)


class _Bearer(httpx2.Auth):
    """Keeps the key out of what is shown: neither `repr` nor the variables of a traceback have it."""

    def __init__(self, key: str) -> None:
        self.key = key

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers["Authorization"] = "Bearer " + self.key
        yield request


class _Base(Generic[Http]):
    """What both clients have. `http` is a client of httpx2 with its own proxies or certificates."""

    _http_class: type[Http]

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, http: Http | None = None,
        timeout: float = 35, deadline: float = 60, retries: int = 2,
    ) -> None:  # fmt: skip
        self._options = Options(timeout, deadline, retries)
        self._base_url = (base_url or os.environ.get("SUPPORT_API_URL", "")).strip().rstrip("/")
        # The value may be the key, or have a password: the error does not show it.
        if not re.fullmatch(r"https?://[^/@?#\s][^@?#\s]*", self._base_url):
            raise ValueError("base_url, or SUPPORT_API_URL, is not the address of the service")
        self._auth = _Bearer((api_key or os.environ.get("SUPPORT_API_KEY", "")).strip())
        if not re.fullmatch(r"[\x21-\x7e]+", self._auth.key):
            raise ValueError("no API key, or one with a strange character: give api_key or set SUPPORT_API_KEY")
        self._http: Http = http or self._http_class()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base_url!r})"

    def with_options(self, **options: Any) -> Self:
        """A client with another `timeout`, `deadline` or number of `retries`, over the same connections."""
        other = copy.copy(self)
        other._options = self._options._replace(**options)
        return other

    def _in_time(self) -> Self:
        """For a visitor who waits."""
        return self.with_options(deadline=min(30, self._options.deadline))

    def _reply(self, response: httpx2.Response, body: bytes) -> Reply:
        headers = {name.lower(): value for name, value in response.headers.items()}
        # Some proxies answer with the request that they got.
        return Reply(response.status_code, headers, body.replace(self._auth.key.encode(), b"***"))

    def _given(self, request: Request, timeout: float) -> dict[str, Any]:
        """The arguments for the HTTP client. The API redirects nowhere, so nothing is followed with the key."""
        sent = {"url": request.url, "params": request.query, "content": request.content}
        rest = {"headers": request.headers, "auth": self._auth, "timeout": timeout, "follow_redirects": False}
        return {"method": request.method, **sent, **rest}


def _failure(error: Exception) -> ConnectionFailed:
    is_late = isinstance(error, (httpx2.TimeoutException, TimeoutError))
    failure = (TimedOut if is_late else ConnectionFailed)(f"no reply: {type(error).__name__} {error}".rstrip())
    failure.maybe_done = not isinstance(error, NOT_SENT)
    return failure


class Client(_Base[httpx2.Client], Calls):
    """The service, for code without `async`. Threads may share it."""

    _http_class = httpx2.Client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def _call(self, method: str, path: str, result: Any, **given: Any) -> Any:
        request, outcome = request_of(method, self._base_url + path, result, **given), None
        steps = steps_of(request, self._options)
        try:
            while True:
                step, seconds = steps.send(outcome)
                outcome = self._send(request, seconds) if step == "send" else time.sleep(seconds)  # type: ignore[func-returns-value]
        except StopIteration as done:
            return done.value

    def _send(self, request: Request, timeout: float) -> Outcome:
        ends, body = time.monotonic() + timeout, bytearray()
        try:
            with self._http.stream(**self._given(request, timeout)) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if time.monotonic() > ends:
                        raise TimeoutError("the reply does not end")
                return self._reply(response, bytes(body))
        except FAILURES as error:
            return _failure(error)

    def chat_token(
        self, headers: Headers, signed_in: str | None = None, user: TokenUser | None = None, *,
        origins: Collection[str] | None = None, cookie_secret: str | None = None,
    ) -> ChatReply:  # fmt: skip
        """What the token route of your server answers to a POST with these headers. `signed_in` is the id of your user,
        `origins` are the pages that may ask. `cookie_secret` signs the cookie in the place of the API key."""
        visitor = visitor_of(headers, cookie_secret or self._auth.key, signed_in, user, origins)
        if not visitor:
            return ChatReply(403, {}, b"")
        try:
            return visitor.reply(self._in_time().issue_widget_token(visitor.wanted))
        except SupportError as error:
            return visitor.reply(error)


class AsyncClient(_Base[httpx2.AsyncClient], AsyncCalls):
    """The service, for asyncio and trio."""

    _http_class = httpx2.AsyncClient

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def _call(self, method: str, path: str, result: Any, **given: Any) -> Any:
        request, outcome = request_of(method, self._base_url + path, result, **given), None
        steps = steps_of(request, self._options)
        try:
            while True:
                step, seconds = steps.send(outcome)
                outcome = await (self._send(request, seconds) if step == "send" else anyio.sleep(seconds))
        except StopIteration as done:
            return done.value

    async def _send(self, request: Request, timeout: float) -> Outcome:
        try:
            with anyio.fail_after(timeout):
                async with self._http.stream(**self._given(request, timeout)) as response:
                    return self._reply(response, await response.aread())
        except FAILURES as error:
            return _failure(error)

    async def chat_token(
        self, headers: Headers, signed_in: str | None = None, user: TokenUser | None = None, *,
        origins: Collection[str] | None = None, cookie_secret: str | None = None,
    ) -> ChatReply:  # fmt: skip
        """What the token route of your server answers to a POST with these headers. `signed_in` is the id of your user,
        `origins` are the pages that may ask. `cookie_secret` signs the cookie in the place of the API key."""
        visitor = visitor_of(headers, cookie_secret or self._auth.key, signed_in, user, origins)
        if not visitor:
            return ChatReply(403, {}, b"")
        try:
            return visitor.reply(await self._in_time().issue_widget_token(visitor.wanted))
        except SupportError as error:
            return visitor.reply(error)
