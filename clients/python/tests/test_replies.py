"""What calls return and raise."""

import inspect
import json
import logging
import os
import pickle
import traceback
from pathlib import Path

import pytest
from conftest import KEY, answer

from support_assistant import AsyncClient, Client, errors, headers_of
from support_assistant import models as m

HTML = b"<!doctype html><title>Welcome to the hotel</title>" + b"." * 5000


def test_a_question_is_answered_from_an_entry(client, name):
    made = client.create_entry(
        m.NewEntry(path=f"py/{name}/refunds", title="Refunds", content=f"A refund for {name} takes seven days.")
    )
    entry = client.get_entry(made.path)
    assert (entry.path, entry.version, entry.title) == (made.path, made.version, "Refunds")
    session = client.create_session(m.NewSession(external_user_id="ann"))
    read = client.get_session(session.session_id)
    assert read.external_user_id == "ann" and read.created_at == session.created_at and read == session
    reply = client.send_message(
        session.session_id, m.NewMessage(content=f"How many days does a refund for {name} take?")
    )
    assert "seven days" in reply.answer and reply.disposition == "answered" and reply.sources[0].path == made.path


def test_null_clears_and_what_is_absent_stays(client, name):
    entry = client.create_entry(m.NewEntry(path=f"py/{name}", title="A", content="B", tags=["x"]))
    assert client.update_entry(entry.path, m.EntryPatch(title="C")).tags == ["x"]
    cleared = client.update_entry(entry.path, m.EntryPatch(tags=None))
    assert (cleared.tags, cleared.title) == ([], "C")


def test_304_is_no_error(client):
    session = client.create_session()
    tag = headers_of(client.get_session(session.session_id))["etag"]
    assert client.get_session(session.session_id, if_none_match=tag) is None
    assert client.get_session(session.session_id, if_none_match='"other"') == session


def test_a_refusal_says_what_is_wrong(client):
    session = client.create_session()
    with pytest.raises(errors.InvalidRequest) as refused:
        client.send_message(session.session_id, m.NewMessage(content=""), request_id="my-request")
    error = refused.value
    assert (error.status, error.code, error.request_id) == (400, "VALIDATION_ERROR", "my-request")
    assert [(detail.field, detail.code) for detail in error.details] == [("content", "TOO_SHORT")]
    assert "content" in str(error) and "my-request" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.status, again.code, again.details, str(again)) == (400, "VALIDATION_ERROR", error.details, str(error))
    with pytest.raises(errors.NotFound):
        client.get_session("ses_none")


def test_a_detail_without_a_field_and_a_short_address_are_told(client, proxy, name):
    session = client.create_session()
    with pytest.raises(errors.InvalidRequest, match=r"valid\.; name at least one of .* \(request req_"):
        client.update_session(session.session_id, m.SessionPatch())
    with pytest.raises(errors.NotFound, match=r"; base_url has no /api/v1 \(request req_"):
        Client(f" {proxy.url.removesuffix('/api/v1')}/\n", KEY).get_session("ses_none")
    with pytest.raises(errors.NotFound, match="^((?!has no).)*$"):
        client.get_session("ses_none")


def test_a_request_of_no_model_or_with_an_unknown_field_is_refused(client, proxy):
    with pytest.raises(TypeError, match="no model, .* dict"):
        client.create_session({"externalUserId": "ann"})
    for model in (m.NewSession, m.SessionPatch, m.NewVisitor, m.TokenUser):
        with pytest.raises(ValueError, match="misspelt"):
            model.model_validate({"misspelt": 1})
    assert not proxy.seen


@pytest.mark.parametrize("method", ["get_settings", "delete"])
@pytest.mark.parametrize(
    "status,body",
    [(200, HTML), (502, HTML), (502, b""), (200, b""), (302, b""), (200, b"[]"), (200, b"{}"), (404, HTML)],
)
def test_a_page_of_a_proxy_is_a_typed_error(client, proxy, status, body, method):
    proxy.faults = [answer(status, body, Content_Type="text/html")] * 3
    with pytest.raises(errors.ApiError) as failed:
        client.delete_entry("a/b") if method == "delete" else client.get_settings()
    assert failed.value.status == status and failed.value.code is None
    assert failed.value.body == body.decode()[:200] and len(str(failed.value)) < 600
    assert isinstance(
        failed.value,
        errors.UnexpectedReply if status < 400 else errors.ServerError if status == 502 else errors.NotFound,
    )


def test_what_a_newer_service_adds_is_no_error(client, proxy):
    session = client.create_session()
    told = json.loads(session.model_dump_json(by_alias=True)) | {
        "ownership": "later",
        "added": {"a": 1},
        "channel": "fax",
    }
    proxy.faults = [answer(200, json.dumps(told).encode(), Content_Type="application/json")]
    later = client.get_session(session.session_id)
    assert (later.ownership, later.channel) == ("later", "fax")
    assert later.model_extra == {"added": {"a": 1}}


@pytest.mark.parametrize("identifier", ["", ".", "..", "a/../b", "a//b"])
def test_what_would_name_another_resource_is_refused(client, proxy, identifier):
    with pytest.raises(ValueError):
        client.delete_entry(identifier)
    assert not proxy.seen


def test_an_id_stays_one_segment(client, proxy):
    with pytest.raises(errors.NotFound):
        client.get_session("../wiki?x=1#")
    assert proxy.seen[0][1].endswith("/sessions/..%2Fwiki%3Fx%3D1%23")


def test_the_key_is_nowhere(client, proxy, caplog):
    caplog.set_level(logging.DEBUG)
    told = [repr(client), str(vars(client))]

    def echo(status):
        return lambda handler: handler.reply(status, {}, str(handler.headers).encode())

    for fault in (answer(401, b"no"), answer(502, HTML), echo(400), echo(200), echo(502)):
        proxy.faults = [fault] * 3
        try:
            client.get_settings()
        except errors.SupportError as error:
            told += [*traceback.format_exception(error), repr(error), str(vars(error))]
            seen = traceback.TracebackException.from_exception(error, capture_locals=True)
            told += [line for line in seen.format() if "conftest.py" not in line]
    assert proxy.seen[0][2]["Authorization"] == "Bearer " + KEY
    assert not [line for line in [*told, caplog.text] if KEY in line]
    for bad in ("", "pk_live_a b", "pk_live_a\nb", "pk_live_ä"):
        with pytest.raises(ValueError) as refused:
            Client(proxy.url, bad or " ")
        assert "pk_live" not in str(refused.value)
    for bad in (KEY, "http://x/api/v1?a=b", "http://x/api v1", f"https://user:{KEY}@service.test/api/v1"):
        with pytest.raises(ValueError) as refused:
            Client(bad, KEY)
        assert KEY not in str(refused.value)


def test_the_surroundings_name_service_and_key(proxy, monkeypatch):
    monkeypatch.setenv("SUPPORT_API_URL", proxy.url + "/")
    monkeypatch.setenv("SUPPORT_API_KEY", KEY + "\n")
    with Client() as client:
        client.get_settings()
    assert proxy.seen[0][2]["User-Agent"].startswith("support-assistant-python/0.")
    with pytest.raises(ValueError):
        Client("support.example.com", KEY)


def test_every_operation_and_field_is_there():
    document = json.loads(Path(os.environ["OPENAPI"]).read_text())
    named = {
        line.strip().partition("`")[2].partition("`")[0]
        for line in inspect.getsource(Client.__mro__[-3]).splitlines()
        if '"""' in line
    }
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in named
    calls = {name for name in dir(Client) if not name.startswith("_")}
    assert calls == {name for name in dir(AsyncClient) if not name.startswith("_")}
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema:
            model = getattr(m, name)
            generated = {field.alias for field in model.model_fields.values()}
            assert generated == set(schema["properties"]), name
            required = {field.alias for field in model.model_fields.values() if field.is_required()}
            assert required == set(schema.get("required", [])), name
