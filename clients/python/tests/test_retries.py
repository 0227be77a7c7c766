"""Nothing is lost and nothing is done twice, whatever the network does."""

import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from conftest import DROP_AFTER, DROP_BEFORE, KEY, answer

from support_assistant import Client, _retry, errors, headers_of
from support_assistant import models as m
from support_assistant._request import Reply, request_of

HTML = b"<html><body>Bad gateway</body></html>"
IN_PROGRESS = b'{"error": "IDEMPOTENCY_IN_PROGRESS", "message": "Wait.", "requestId": "req_1", "details": []}'


def stored(client, session):
    return [turn.content for turn in client.list_messages(session.session_id).items if turn.role == "customer"]


@pytest.mark.parametrize(
    "fault",
    [
        DROP_BEFORE,
        DROP_AFTER,
        answer(502, HTML),
        answer(503),
        answer(500),
        answer(504),
        answer(408),
        answer(429),
        answer(409, IN_PROGRESS),
    ],
    ids=str,
)
def test_a_message_is_stored_once(client, proxy, fault):
    session = client.create_session()
    proxy.faults, proxy.seen = [fault, fault], []
    client.send_message(session.session_id, m.NewMessage(content="Wo ist meine Bestellung?"))
    assert stored(client, session) == ["Wo ist meine Bestellung?"]
    posts = [seen for seen in proxy.seen if seen[0] == "POST"]
    assert len(posts) == 3
    assert len({seen[2]["Idempotency-Key"] for seen in posts}) == len({seen[3] for seen in posts}) == 1


def test_each_call_has_a_key_of_its_own_or_the_callers(client, proxy):
    first, second = client.create_session(), client.create_session()
    assert first.session_id != second.session_id
    given = [client.create_session(idempotency_key=f"mine {first.session_id}") for _ in range(2)]
    assert given[0] == given[1] and headers_of(given[1])["idempotency-replayed"] == "true"


def test_a_reply_that_comes_too_late_is_asked_for_again(client, proxy):
    session = client.create_session()
    proxy.faults = [1.0]
    client.with_options(timeout=0.3).send_message(session.session_id, m.NewMessage(content="Hello?"))
    assert stored(client, session) == ["Hello?"]


def test_two_retries_are_the_most(client, proxy):
    proxy.faults = [DROP_BEFORE] * 9
    with pytest.raises(errors.ConnectionFailed) as failed:
        client.create_session()
    assert len(proxy.seen) == 3 and failed.value.maybe_done and failed.value.status is None
    proxy.faults, proxy.seen = [answer(503)] * 9, []
    with pytest.raises(errors.ServerError):
        client.with_options(retries=0).create_session()
    assert len(proxy.seen) == 1


@pytest.mark.parametrize("fault,is_done", [(answer(409, IN_PROGRESS), True), (DROP_AFTER, True), (answer(429), False)])
def test_a_failure_says_whether_something_may_be_done(client, proxy, fault, is_done):
    proxy.faults = [fault] * 6
    for call, may in ((client.create_session, is_done), (client.get_settings, False)):
        with pytest.raises(errors.SupportError) as failed:
            call()
        assert failed.value.maybe_done == may


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_nothing_is_sent_before_retry_after(client, proxy, form):
    at = datetime.now(timezone.utc) + timedelta(seconds=2)
    proxy.faults = [
        answer(429, Retry_After="1" if form == "seconds" else format_datetime(at.replace(microsecond=0), usegmt=True))
    ]
    client.get_settings()
    assert proxy.seen[1][4] - proxy.seen[0][4] >= 1


def steps(monkeypatch, outcomes, **options):
    """The waits of a call with these outcomes, by a clock that only they move, and how it ends."""
    now = [0.0]
    monkeypatch.setattr(_retry.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(_retry.random, "uniform", lambda low, high: high / 2)
    following = _retry.steps_of(request_of("POST", "/sessions", m.Session, {}), _retry.Options(**options))
    waits, (step, seconds) = [], next(following)
    try:
        while True:
            if step == "wait":
                waits.append(seconds)
                now[0] += seconds
            step, seconds = following.send(outcomes.pop(0) if step == "send" else None)
    except errors.SupportError as error:
        return waits, error


@pytest.mark.parametrize("status", [429, 503])
def test_a_retry_after_costs_no_try_until_the_deadline(monkeypatch, status):
    later, lost, over = Reply(status, {"retry-after": "1"}, b""), Reply(502, {}, b""), Reply(400, {}, b"")
    waits, error = steps(monkeypatch, [lost, *[later] * 7, lost, over])
    assert waits == [0.25, 1.5, 2, 3, 5, 5, 5, 5, 4] and error.status == 400
    waits, error = steps(monkeypatch, [later] * 99)
    assert (len(waits), sum(waits), error.status, error.retry_after) == (14, 57.75, status, 1)
    assert len(steps(monkeypatch, [later] * 9, retries=0)[0]) == 0
    assert len(steps(monkeypatch, [Reply(status, {}, b"")] * 9)[0]) == 2
    assert len(steps(monkeypatch, [lost] * 2000, retries=1999, deadline=1e9)[0]) == 1999


def test_no_attempt_follows_a_pause_in_which_the_machine_slept(monkeypatch):
    times = iter([0.0, 0.0, 0.0, 61.0])
    monkeypatch.setattr(_retry.time, "monotonic", lambda: next(times))
    following = _retry.steps_of(request_of("GET", "/settings", m.Settings, {}), _retry.Options())
    assert [next(following)[0], following.send(Reply(503, {}, b""))[0]] == ["send", "wait"]
    with pytest.raises(errors.ServerError):
        following.send(None)


@pytest.mark.parametrize(
    "told,seconds",
    [("0", 0), ("-5", None), ("1.5", None), ("soon", None), ("", None), ("9" * 400, 2_147_483)]
    + [("Mon, 01 Jan 1990 00:00:00 GMT", 0), ("Mon, 01 Jan 1990 00:00:09 GMT", 9)],
)
def test_a_retry_after_is_seconds_or_a_date_by_the_clock_of_the_service(told, seconds):
    error = errors.error_of(429, {"retry-after": told, "date": "Mon, 01 Jan 1990 00:00:00 GMT"}, b"")
    assert error.retry_after == seconds


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_beyond_the_deadline_fails_at_once(client, proxy, status):
    proxy.faults = [answer(status, Retry_After="3600")]
    began = time.monotonic()
    with pytest.raises(errors.RateLimited if status == 429 else errors.ServerError) as refused:
        client.get_settings()
    assert refused.value.retry_after == 3600 and refused.value.status == status
    assert time.monotonic() - began < 2 and len(proxy.seen) == 1


def test_the_deadline_ends_a_call_whose_reply_never_ends(client, proxy):
    def drip(handler):
        handler.send_response_only(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        try:
            for _ in range(40):
                handler.wfile.write(b" ")
                time.sleep(0.1)
        except OSError:
            pass

    proxy.faults = [drip] * 3
    began = time.monotonic()
    with pytest.raises(errors.TimedOut):
        client.with_options(deadline=0.8).get_settings()
    assert time.monotonic() - began < 2


def test_waits_are_random_and_grow_to_a_limit(monkeypatch):
    spans = []
    monkeypatch.setattr(_retry.random, "uniform", lambda low, high: spans.append((low, high)) or 0.0)
    steps = _retry.steps_of(request_of("GET", "/settings", m.Settings, {}), _retry.Options(retries=6))
    taken = [next(steps)[0]]
    with pytest.raises(errors.ConnectionFailed):
        while True:
            taken.append(steps.send(errors.ConnectionFailed("lost") if taken[-1] == "send" else None)[0])
    assert taken == ["send", "wait"] * 6 + ["send"]
    assert spans[:6] == [(0, 0.5), (0, 1.0), (0, 2.0), (0, 4.0), (0, 8.0), (0, 8.0)]


def test_nobody_listens():
    with (
        Client("http://127.0.0.1:9/api/v1", KEY, retries=1) as client,
        pytest.raises(errors.ConnectionFailed) as failed,
    ):
        client.get_settings()
    assert not failed.value.maybe_done


@pytest.mark.parametrize("fault", [DROP_AFTER, answer(500), answer(502, HTML)], ids=str)
def test_a_patch_is_not_repeated_if_it_may_have_been_done(client, proxy, name, fault):
    session = client.create_session()
    proxy.faults, proxy.seen = [fault], []
    with pytest.raises(errors.SupportError):
        client.update_session(session.session_id, m.SessionPatch(tags=[name]))
    assert len(proxy.seen) == 1


@pytest.mark.parametrize("fault", [answer(429), answer(503)], ids=str)
def test_a_patch_that_was_refused_is_repeated(client, proxy, name, fault):
    session = client.create_session()
    proxy.faults = [fault]
    assert client.update_session(session.session_id, m.SessionPatch(tags=[name])).tags == [name]


def test_a_patch_with_if_match_is_repeated_and_never_undoes_another_change(client, proxy, name):
    entry = client.create_entry(m.NewEntry(path=f"py/{name}", title="A", content="B"))
    tag = headers_of(client.get_entry(entry.path))["etag"]
    proxy.faults = [DROP_BEFORE]
    changed = client.update_entry(entry.path, m.EntryPatch(title="C"), if_match=tag)
    assert changed.version == entry.version + 1
    # The reply was lost: the repetition finds the change that the first attempt made.
    proxy.faults = [DROP_AFTER]
    with pytest.raises(errors.Conflict) as conflict:
        client.update_entry(entry.path, m.EntryPatch(title="D"), if_match=headers_of(changed)["etag"])
    assert conflict.value.status == 412 and conflict.value.code == "PRECONDITION_FAILED" and conflict.value.maybe_done
    assert client.get_entry(entry.path).title == "D"


def test_a_deletion_whose_reply_was_lost_counts_as_done(client, proxy, name):
    entry = client.create_entry(m.NewEntry(path=f"py/{name}", title="A", content="B"))
    proxy.faults, proxy.seen = [DROP_AFTER], []
    client.delete_entry(entry.path)
    assert [seen[0] for seen in proxy.seen] == ["DELETE", "DELETE"]
    with pytest.raises(errors.NotFound):
        client.delete_entry(entry.path)
    proxy.faults = [answer(429)]
    with pytest.raises(errors.NotFound):
        client.delete_entry(entry.path)
