"""The service that SUPPORT_API_URL names, behind a proxy that fails on demand, and both clients."""

import asyncio
import http.client
import inspect
import os
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from support_assistant import AsyncClient, Client, _retry

SERVICE, KEY = os.environ["SUPPORT_API_URL"], os.environ["SUPPORT_API_KEY"]
DROP_BEFORE, DROP_AFTER, PASS = "drop before", "drop after", "pass"


def answer(status, body=b"", **headers):
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body


class Proxy:
    """Passes requests on, but for the faults that are planned for the next ones. A number is a delay in seconds, a
    function gets the handler."""

    def __init__(self):
        proxy, origin = self, urlsplit(SERVICE)
        self.faults, self.seen = [], []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                proxy.seen.append((self.command, self.path, dict(self.headers), body, time.monotonic()))
                fault = proxy.faults.pop(0) if proxy.faults else PASS
                self.close_connection = True
                if fault == DROP_BEFORE:
                    return
                if callable(fault):
                    return fault(self)
                if isinstance(fault, tuple):
                    return self.reply(*fault)
                if isinstance(fault, (int, float)):
                    time.sleep(fault)
                connection = http.client.HTTPConnection(origin.hostname, origin.port, timeout=60)
                passed = {
                    name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")
                }
                connection.request(self.command, self.path, body or None, passed)
                told = connection.getresponse()
                headers = {
                    name: value
                    for name, value in told.getheaders()
                    if name.lower() not in ("transfer-encoding", "connection", "content-length")
                }
                content = told.read()
                connection.close()
                if fault != DROP_AFTER:
                    self.reply(told.status, headers, content)

            def reply(self, status, headers, body):
                self.send_response_only(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status not in (204, 304):
                    self.send_header("Content-Length", str(len(body)))
                self.send_header("Connection", "close")
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}{origin.path}"


class Awaited:
    """An async client that is called like the other."""

    def __init__(self, client, loop):
        self._client, self._loop = client, loop

    def __getattr__(self, name):
        value = getattr(self._client, name)
        if name == "with_options":
            return lambda **options: Awaited(value(**options), self._loop)
        if name.startswith("iterate_"):
            return lambda *given, **named: self._all(value(*given, **named))
        if inspect.iscoroutinefunction(value):
            return lambda *given, **named: self._loop.run_until_complete(value(*given, **named))
        return value

    def _all(self, items):
        async def collect():
            return [item async for item in items]

        return iter(self._loop.run_until_complete(collect()))


@pytest.fixture
def proxy():
    proxy = Proxy()
    yield proxy
    proxy.server.shutdown()
    proxy.server.server_close()


@pytest.fixture(params=["sync", "async"])
def client(request, proxy, monkeypatch):
    monkeypatch.setattr(_retry, "BASE_SECONDS", 0.02)
    if request.param == "sync":
        with Client(proxy.url, KEY) as client:
            yield client
    else:
        loop = asyncio.new_event_loop()
        client = AsyncClient(proxy.url, KEY)
        yield Awaited(client, loop)
        loop.run_until_complete(client.__aexit__())
        loop.close()


@pytest.fixture
def name():
    """Something that no other test has."""
    return "t" + uuid.uuid4().hex[:12]
