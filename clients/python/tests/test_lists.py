"""Iterators over all pages."""

import json

from conftest import answer

from support_assistant import models as m


def page(**fields):
    return answer(200, json.dumps(fields).encode(), Content_Type="application/json")


def test_all_pages_of_a_cursor_list_come_in_order(client, proxy, name):
    made = [client.create_session(m.NewSession(tags=[name])).session_id for _ in range(5)]
    proxy.seen = []
    assert [session.session_id for session in client.iterate_sessions(tag=name, limit=2)] == made[::-1]
    assert len(proxy.seen) >= 3 and all(f"tag={name}" in seen[1] for seen in proxy.seen)


def test_all_turns_of_a_session_come_in_order(client):
    session = client.create_session()
    for number in range(3):
        client.send_message(session.session_id, m.NewMessage(content=f"Question {number}?"))
    turns = client.list_messages(session.session_id).items
    assert [turn.message_id for turn in client.iterate_messages(session.session_id, limit=1)] == [
        turn.message_id for turn in turns
    ]


def test_the_turns_after_a_message_are_read_to_the_end(client):
    session = client.create_session()
    for number in range(2):
        client.send_message(session.session_id, m.NewMessage(content=f"Question {number}?"))
    turns = [turn.message_id for turn in client.list_messages(session.session_id).items]
    read = client.iterate_messages(session.session_id, after=turns[0], limit=1)
    assert [turn.message_id for turn in read] == turns[1:]


def test_an_empty_page_that_has_more_goes_on(client, proxy):
    cursors = ["c1", "c2", None]
    proxy.faults = [page(items=[], nextCursor=cursor, hasMore=cursor is not None) for cursor in cursors]
    assert list(client.iterate_sessions()) == []
    assert [seen[1].partition("?")[2] for seen in proxy.seen] == [
        "limit=100",
        "cursor=c1&limit=100",
        "cursor=c2&limit=100",
    ]


def test_all_pages_of_a_numbered_list_come(client, proxy, name):
    made = {
        client.create_entry(m.NewEntry(path=f"py/{name}/{number}", title="A", content="B")).path for number in range(5)
    }
    proxy.seen = []
    assert {entry.path for entry in client.iterate_entries(path_prefix=f"py/{name}/", limit=2)} == made
    assert len(proxy.seen) == 3


def test_a_numbered_list_ends_at_its_last_page_without_an_error(client, proxy):
    full = page(items=[], page=1, limit=100, total=10_000, totalPages=200, hasMore=True, totalCapped=True, query=None)
    proxy.faults = [full] * 150
    assert list(client.iterate_entries()) == [] and len(proxy.seen) == 100
    proxy.faults, proxy.seen = [full] * 150, []
    assert list(client.iterate_entries(limit=99)) == [] and len(proxy.seen) == 101


def test_dry_runs_are_asked_page_by_page(client, name):
    entry = client.create_entry(m.NewEntry(path=f"py/{name}", title="A", content=f"A {name} costs nothing."))
    body = m.DryRunRequest(
        changes=[m.ProposedChange(path=entry.path, content="B")],
        questions=m.DryRunQuestions(texts=[f"What does a {name} cost {number}?" for number in range(3)]),
        limit=1,
    )
    assert len(list(client.iterate_try_changes(body))) == 3 and body.cursor is None
