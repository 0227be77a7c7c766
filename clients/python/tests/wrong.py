"""What the types refuse: `check.sh` expects an error in each marked line."""

from support_assistant import Client
from support_assistant.models import NewMessage, NewSession

client = Client()
client.create_session(NewSession(channel="fax"))  # wrong
client.create_session(NewSession(user_id="ann"))  # wrong
client.send_message(NewMessage(content="Hello"))  # wrong
print(client.get_session("ses_1", if_none_match="*").session_id)  # wrong
for entry in client.iterate_entries(visibility="secret"):  # wrong
    print(entry.titel)  # wrong
