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


def signed(body, key=SECRET):
    now = datetime.now(timezone.utc)
    signature = standardwebhooks.Webhook(key).sign("evt_1", now, body)
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


# The same as in the tests of the TypeScript client: the service signs with these keys.
KEYS = {
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": bytes.fromhex("31f290f6bf06298aab4f08d43c3f082cf648a362da2da4b0"),
    "whsec_//////////////////////////////////////////8=": b"\xff" * 32,
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "grün ✓ 🧺": bytes.fromhex("6772c3bc6e20e29c9320f09fa7ba"),
    "ÿĀ": bytes.fromhex("c3bfc480"),
}
WRONG = [None, "", b"bytes of a secret", "whsec_!!!", "whsec_", SECRET + "\n", " " + SECRET, SECRET.upper(), "v1,abc"]
# Too short, too long, bits behind the end, the other alphabet, no padding.
WRONG += ["whsec_" + base64.b64encode(bytes(length)).decode() for length in (23, 65)]
WRONG += ["whsec_" + "A" * 33 + "B==", "whsec_" + "_-" * 16, "whsec_" + "A" * 35]
WRONG += ["whsec_" + "A" * 29 + "===", "whsec_" + "A" * 30 + "=A", "whsec_" + "A=" * 16]


@pytest.mark.parametrize("secret", KEYS)
def test_a_secret_gives_the_key_that_the_service_signs_with(secret):
    body = '{"id": "evt_1", "type": "a", "timestamp": "2026-01-01T00:00:00.000Z"}'
    assert Webhooks(secret).verify(body, signed(body, KEYS[secret])).id == "evt_1"


@pytest.mark.parametrize("secret", WRONG)
def test_what_is_no_secret_is_refused_and_not_shown(secret):
    with pytest.raises(ValueError, match="whsec_ and base64") as refused:
        Webhooks(secret)
    assert "!!!" not in str(refused.value) and refused.value.__context__ is None


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


# The same as in the tests of the TypeScript client.
ID = "3a1f4a34-0000-4000-8000-000000000000"
SIGNED = {
    "pk_live_of_another_client": "dbd8f6652b6e65d638a1153c049637dee63f53cbcdd40e09994ed7c73bdc46f7",
    "ein Schlüssel ✓": "fd553aa789461fcb957c931138019195289793108321ed01bf3b3299ad37b754",
}


class Several(dict):
    """Headers of which some have one name."""

    def items(self):
        return [(name, each) for name, value in super().items() for each in value.split("\n")]


@pytest.mark.parametrize("secret", SIGNED)
def test_a_cookie_of_the_typescript_client_is_taken_and_a_forged_one_is_not(client, secret):
    good, forged = f"chat_visitor={ID}.{SIGNED[secret]}", f"chat_visitor={ID}.{'0' * 64}"
    wrong = [forged, f"chat_visitor={ID}", "x" + good, good + "0", f"{forged}; " * 70]

    def id_of(cookie, cookie_secret=secret):
        reply = client.chat_token(Several(ROUTE | {"cookie": cookie}), cookie_secret=cookie_secret)
        return json.loads(reply.body)["externalUserId"]

    for cookie in (good, f"{forged}; {good}; {forged}", f"a={'b' * 8000};{good}", f"{good}\na=b"):
        assert id_of(cookie) == "web_" + ID
    assert [cookie for cookie in wrong if id_of(cookie) == "web_" + ID] == []
    assert id_of(good, "another") != "web_" + ID and id_of(good, "") != "web_" + ID


def test_a_signed_in_user_gets_a_token_without_a_cookie(client, name):
    reply = client.chat_token(ROUTE, signed_in=name, user=m.TokenUser(name="Ann", email="ann@shop.example"))
    assert json.loads(reply.body)["externalUserId"] == name and "Set-Cookie" not in reply.headers


def test_pages_of_others_get_no_token(client, proxy):
    for origin in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert client.chat_token({"Host": "shop.example"} | origin).status == 403
    for origins in ([], ["https://other.example"], "https://shop.example/"):
        assert client.chat_token(ROUTE, origins=origins).status == 403
    assert not proxy.seen
    assert client.chat_token(ROUTE | {"Host": "127.0.0.1:3000"}, origins=["https://shop.example"]).status == 200


def test_the_route_passes_on_refusals_and_answers_502_for_failures(client, proxy):
    limited = b'{"error": "RATE_LIMITED", "message": "Wait.", "requestId": "req_1", "details": [{"field": "user", "code": "X", "message": "no"}]}'
    proxy.faults = [answer(429, limited, Retry_After="3600")]
    reply = client.chat_token(ROUTE)
    assert (
        reply.status == 429 and json.loads(reply.body) == json.loads(limited) and reply.headers["Retry-After"] == "3600"
    )
    for fault in (answer(502, b"<html>"), answer(200, b"<html>")):
        proxy.faults = [fault] * 3
        assert client.chat_token(ROUTE).status == 502
    proxy.faults = [DROP_AFTER]
    assert client.chat_token(ROUTE).status == 200
