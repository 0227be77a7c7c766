"""Events that come, and the token route."""

import base64
import json
import queue
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import standardwebhooks
from conftest import DROP_AFTER, KEY, answer

from support_assistant import UnknownEvent, Webhooks, errors
from support_assistant import models as m

SECRET = "whsec_" + base64.b64encode(b"a secret of 24 bytes or so").decode()


class Receiver:
    def __init__(self):
        got = self.got = queue.Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                got.put((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.mark.parametrize("secret", [SECRET, "a plain secret of the python client", "aGVsbG8gd29ybGQ="])
def test_events_of_the_service_are_verified(client, secret, name):
    receiver = Receiver()
    url = f"http://127.0.0.1:{receiver.server.server_port}/{name}"
    hook = client.create_webhook(m.NewWebhook(url=url, events=["message.created"], secret=secret))
    client.create_entry(
        m.NewEntry(path=f"py/{name}", title="Refunds", content=f"A refund for {name} takes seven days.")
    )
    session = client.create_session()
    reply = client.send_message(
        session.session_id, m.NewMessage(content=f"How many days does a refund for {name} take?")
    )
    while True:
        body, headers = receiver.got.get(timeout=60)
        event = Webhooks(secret).verify(body, headers)
        assert event.type == "message.created" and isinstance(event, m.MessageCreatedEvent)
        if event.data.session_id == session.session_id and event.data.role == "ai":
            break
    assert event.data.message_id == reply.message_id and event.data.content == reply.answer
    assert event.data.sources and event.data.sources[0].path == reply.sources[0].path == f"py/{name}"
    assert Webhooks(secret).verify(body.decode(), headers) == event
    for bad_body, bad_headers in (
        (body + b" ", headers),
        (body, {}),
        (body, headers | {"webhook-signature": "x"}),
        (b"\xff", headers),
    ):
        with pytest.raises(errors.WebhookError):
            Webhooks(secret).verify(bad_body, bad_headers)
    with pytest.raises(errors.WebhookError):
        Webhooks("another " + secret).verify(body, headers)
    client.delete_webhook(hook.webhook_id)
    receiver.server.shutdown()


def signed(body):
    now = datetime.now(timezone.utc)
    signature = standardwebhooks.Webhook(SECRET).sign("evt_1", now, body)
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(int(now.timestamp())), "Webhook-Signature": signature}


def test_an_event_of_an_unknown_kind_passes_through():
    body = json.dumps(
        {"id": "evt_1", "type": "session.merged", "timestamp": "2026-01-01T00:00:00.000Z", "data": {"a": 1}}
    )
    event = Webhooks(SECRET).verify(body, signed(body))
    assert isinstance(event, UnknownEvent) and (event.type, event.kind, event.data) == (
        "unknown",
        "session.merged",
        {"a": 1},
    )
    for bad in ("[]", '"x"', "{}", '{"type": []}', '{"type": "message.created"}', "nothing"):
        with pytest.raises(errors.WebhookError):
            Webhooks(SECRET).verify(bad, signed(bad))


ROUTE = {"Host": "shop.example", "Origin": "https://shop.example"}


def test_a_stranger_gets_a_token_and_stays_the_same_visitor(client, proxy):
    first = client.chat_token(ROUTE)
    token = json.loads(first.body)
    assert first.status == 200 and token["token"] and token["externalUserId"].startswith("web_")
    assert first.headers["Cache-Control"] == "no-store" and "HttpOnly; Secure" in first.headers["Set-Cookie"]
    cookie = first.headers["Set-Cookie"].partition(";")[0]
    again = client.chat_token(
        {name.lower(): value for name, value in ROUTE.items()} | {"cookie": f"a=b; {cookie}; c=d"}
    )
    assert json.loads(again.body)["externalUserId"] == token["externalUserId"]
    forged = client.chat_token(ROUTE | {"Cookie": cookie[:-1] + ("0" if cookie[-1] != "0" else "1")})
    assert json.loads(forged.body)["externalUserId"] != token["externalUserId"]
    assert KEY not in str(first) and "texts" in token


def test_a_signed_in_user_gets_a_token_without_a_cookie(client, name):
    reply = client.chat_token(ROUTE, signed_in=name, user=m.TokenUser(name="Ann", email="ann@shop.example"))
    assert json.loads(reply.body)["externalUserId"] == name and "Set-Cookie" not in reply.headers


def test_pages_of_others_get_no_token(client, proxy):
    for origin in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert client.chat_token({"Host": "shop.example"} | origin).status == 403
    assert not proxy.seen


def test_the_route_passes_on_refusals_and_answers_502_for_failures(client, proxy):
    limited = b'{"error": "RATE_LIMITED", "message": "Wait.", "requestId": "req_1", "details": []}'
    proxy.faults = [answer(429, limited, Retry_After="3600")]
    reply = client.chat_token(ROUTE)
    assert (
        reply.status == 429
        and json.loads(reply.body)["error"] == "RATE_LIMITED"
        and 3600 <= int(reply.headers["Retry-After"]) <= 3601
    )
    for fault in (answer(502, b"<html>"), answer(200, b"<html>")):
        proxy.faults = [fault] * 3
        assert client.chat_token(ROUTE).status == 502
    proxy.faults = [DROP_AFTER]
    assert client.chat_token(ROUTE).status == 200
