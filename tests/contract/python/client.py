"""What an integration does first, by the client that was generated from the OpenAPI document: a session, a message that
is answered from the wiki, an entry under a path with a slash, an error that is read, and an event that is received."""

import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from support_client import AuthenticatedClient
from support_client.api.messages import send_message
from support_client.api.sessions import create_session, get_session
from support_client.api.webhooks import create_webhook
from support_client.api.wiki import create_entry, get_entry
from support_client.models import (
    DetailCode,
    Entry,
    EntryVersion,
    Error,
    MessageCreatedEvent,
    NewEntry,
    NewMessage,
    NewSession,
    NewWebhook,
    Reply,
    Session,
    SubscribedKind,
    TurnRole,
    Webhook,
)

client = AuthenticatedClient(base_url=os.environ["SUPPORT_API_URL"], token=os.environ["SUPPORT_API_KEY"])
events: queue.Queue = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        events.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
registered = create_webhook.sync(
    client=client,
    body=NewWebhook(
        url=f"http://127.0.0.1:{receiver.server_port}/python",
        events=[SubscribedKind.MESSAGE_CREATED],
        secret="a secret of the python client",
    ),
)
assert isinstance(registered, Webhook), registered

made = create_entry.sync(
    client=client,
    body=NewEntry(path="clients/python", title="Refunds", content="A refund for python takes seven days."),
)
assert isinstance(made, Entry), made
entry = get_entry.sync("clients/python", client=client)
assert isinstance(entry, EntryVersion) and (entry.path, entry.version) == ("clients/python", made.version), entry

session = create_session.sync(client=client, body=NewSession(external_user_id="ann"))
assert isinstance(session, Session), session
read = get_session.sync(session.session_id, client=client)
assert isinstance(read, Session) and read.external_user_id == "ann" and read.created_at == session.created_at, read

reply = send_message.sync(
    session.session_id, client=client, body=NewMessage(content="How many days does a refund for python take?")
)
assert isinstance(reply, Reply) and "seven days" in reply.answer, reply
assert reply.disposition == "answered" and reply.sources[0].path == "clients/python", reply

refused = send_message.sync_detailed(session.session_id, client=client, body=NewMessage(content=""))
assert refused.status_code == 400 and isinstance(refused.parsed, Error), refused
assert refused.parsed.error == "VALIDATION_ERROR", refused.parsed
[detail] = refused.parsed.details
assert (detail.field, detail.code) == ("content", DetailCode.TOO_SHORT), refused.parsed

while True:
    event = MessageCreatedEvent.from_dict(events.get(timeout=60))
    if event.data.session_id == session.session_id and event.data.role == TurnRole.AI:
        break
assert event.type_ == "message.created" and event.data.message_id == reply.message_id, event
assert event.data.sources[0].path == "clients/python" and event.data.content == reply.answer, event

# A value that a later version adds is read, too.
later = Session.from_dict({**session.to_dict(), "ownership": "of_a_later_version"})
assert later.ownership == "of_a_later_version", later

print("the Python client works")
