"""What a user writes: `check.sh` type-checks and runs it with the installed package."""

import asyncio

from support_assistant import ApiError, AsyncClient, Client, Webhooks, headers_of
from support_assistant.models import EntryPatch, NewMessage, NewSession, Session


def handle(body: bytes, headers: dict[str, str]) -> str | None:
    event = Webhooks("whsec_c2VjcmV0IG9mIHRoZSBzYW1wbGUgZmlsZQ==").verify(body, headers)
    if event.type == "message.created":
        return str(event.data.session_id)
    return None


def main() -> None:
    with Client() as client:
        session = client.create_session(NewSession(external_user_id="ann", channel="api"))
        print(client.send_message(session.session_id, NewMessage(content="How long does a refund take?")).answer)
        same: Session = client.get_session(session.session_id)
        unchanged: Session | None = client.get_session(session.session_id, if_none_match=headers_of(same)["etag"])
        assert unchanged is None
        try:
            client.update_entry("no/entry", EntryPatch(tags=None), if_match='"1"')
        except ApiError as error:
            print(
                error.status,
                error.code,
                [detail.field for detail in error.details],
                error.request_id,
                error.retry_after,
            )
        print(sum(1 for entry in client.iterate_entries(path_prefix="billing/") if entry.title))


async def main_async() -> None:
    async with AsyncClient() as client:
        async for session in client.iterate_sessions(limit=1):
            print(session.ownership, session.created_at.year)
            break


main()
asyncio.run(main_async())
