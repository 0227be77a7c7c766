"""What the route of a shop's server answers that gives the chat its token."""

import hashlib
import hmac
import json
import math
import re
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .errors import ApiError, SupportError
from .models import TokenUser, WidgetToken, WidgetTokenRequest

COOKIE = re.compile(r"(?:^|; ?)chat_visitor=([0-9a-f-]{36})\.([0-9a-f]{64})(?=;|$)")


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
        headers |= {"Retry-After": str(math.ceil(answer.retry_after))} if answer.retry_after is not None else {}
        details = [detail.model_dump(by_alias=True, exclude_unset=True) for detail in answer.details]
        told = {"error": answer.code, "message": answer.message, "requestId": answer.request_id, "details": details}
        return ChatReply(answer.status, headers, json.dumps(told).encode())


def visitor_of(
    headers: Mapping[str, str], secret: str, signed_in: str | None, user: TokenUser | None, origins: Collection[str] | None
) -> Visitor | None:  # fmt: skip
    """Who asks for a token: your user, or whoever has the cookie that an earlier answer set. None for another site's page."""
    sent = {name.lower(): value for name, value in headers.items()}
    # Browsers name the origin of every POST.
    own = [f"https://{sent.get('host')}", f"http://{sent.get('host')}"] if origins is None else origins
    if sent.get("origin") not in ([own] if isinstance(own, str) else own):
        return None
    cookie = None
    if not signed_in:
        # HTTP/2 may split the cookies into headers of one name.
        cookies = "; ".join(value for name, value in headers.items() if name.lower() == "cookie")
        known = (one for one, told in COOKIE.findall(cookies) if hmac.compare_digest(told, _signature(secret, one)))
        visitor = next(known, None) or str(uuid.uuid4())
        cookie = f"chat_visitor={visitor}.{_signature(secret, visitor)}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000"
        signed_in = "web_" + visitor
    named = {"externalUserId": signed_in} | ({"user": user} if user else {})
    return Visitor(WidgetTokenRequest.model_validate(named), cookie)


def _signature(secret: str, visitor: str) -> str:
    """As the TypeScript client does it."""
    return hmac.new(secret.encode(), visitor.encode(), hashlib.sha256).hexdigest()
