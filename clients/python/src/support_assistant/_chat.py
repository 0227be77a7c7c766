"""What the route of a shop's server answers that gives the chat its token."""

import hashlib
import hmac
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from .errors import ApiError, SupportError
from .models import TokenUser, WidgetToken, WidgetTokenRequest

COOKIE = re.compile(r"(?:^|; )chat_visitor=([0-9a-f-]{36})\.([0-9a-f]{64})(?:;|$)")


@dataclass(frozen=True)
class ChatReply:
    """The answer of the route. Browsers of other sites get 403."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Visitor:
    wanted: WidgetTokenRequest
    cookie: str | None

    def reply(self, answer: WidgetToken | SupportError) -> ChatReply:
        """Passes on a token and what the API refuses; 502 if the service fails."""
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        headers |= {"Set-Cookie": self.cookie} if self.cookie else {}
        if isinstance(answer, WidgetToken):
            return ChatReply(200, headers, answer.model_dump_json(by_alias=True, exclude_unset=True).encode())
        if not isinstance(answer, ApiError) or not answer.code or answer.status >= 500:
            return ChatReply(502, {}, b"")
        headers |= {"Retry-After": str(int(answer.retry_after) + 1)} if answer.retry_after else {}
        told: dict[str, object] = {
            "error": answer.code,
            "message": answer.message,
            "requestId": answer.request_id,
            "details": [],
        }
        return ChatReply(answer.status, headers, json.dumps(told).encode())


def visitor_of(headers: Mapping[str, str], key: bytes, signed_in: str | None, user: TokenUser | None) -> Visitor | None:
    """Who asks for a token: your user, or whoever has the cookie that an earlier answer set. None for another site's page."""
    sent = {name.lower(): value for name, value in headers.items()}
    # Browsers name the origin of every POST.
    if sent.get("origin") not in (f"https://{sent.get('host')}", f"http://{sent.get('host')}"):
        return None
    cookie, found = None, COOKIE.search(sent.get("cookie", ""))
    if not signed_in:
        visitor = found[1] if found and hmac.compare_digest(found[2], _signature(key, found[1])) else str(uuid.uuid4())
        cookie = f"chat_visitor={visitor}.{_signature(key, visitor)}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000"
        signed_in = "web_" + visitor
    named = {"externalUserId": signed_in} | ({"user": user} if user else {})
    return Visitor(WidgetTokenRequest.model_validate(named), cookie)


def _signature(key: bytes, visitor: str) -> str:
    return hmac.new(key, visitor.encode(), hashlib.sha256).hexdigest()
