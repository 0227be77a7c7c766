"""Events that the service sends."""

import base64
import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

import standardwebhooks
from pydantic import AwareDatetime, ValidationError

from . import models
from ._model import Model
from .errors import WebhookError


class UnknownEvent(Model):
    """An event of a `kind` that this version of the client does not know."""

    # A word of its own, so that type checkers tell it from the others by `type`.
    type: Literal["unknown"] = "unknown"
    kind: str
    id: str
    timestamp: AwareDatetime
    data: Any = None


Event = models.Event | UnknownEvent
_KINDS: dict[str, Any] = {
    get_args(kind.model_fields["type"].annotation)[0]: kind for kind in get_args(models.Event.__value__)
}
ENCODED = re.compile("whsec_((?:[A-Za-z0-9+/]{4}){7,21}[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/][A-Za-z0-9+/=]))")


class Webhooks:
    """Verifies what a webhook with this secret receives."""

    def __init__(self, secret: str) -> None:
        self._webhook = standardwebhooks.Webhook(_key(secret))

    def verify(self, body: bytes | str, headers: Mapping[str, str]) -> Event:
        """The event of a request. `body` is what came, before anything parsed it. Store the `id` of handled events: one
        event may come more than once."""
        try:
            told = self._webhook.verify(body, dict(headers))
            if kind := _KINDS.get(told["type"]):
                return kind.model_validate(told)  # type: ignore[no-any-return]
            return UnknownEvent.model_validate({**told, "type": "unknown", "kind": told["type"]})
        except ValidationError as error:
            raise WebhookError(f"the event is not as the API describes it: {error.error_count()} problems") from None
        except (standardwebhooks.WebhookVerificationError, ValueError, TypeError, KeyError) as error:
            raise WebhookError(f"not an event of the service: {error}") from None


def _key(secret: str) -> bytes:
    """The key of a secret, as the service has it: the library takes more for base64."""
    text = secret if isinstance(secret, str) else ""
    if text and not re.match(r"\s*(whsec_|v1,)", text, re.IGNORECASE):
        return text.encode()
    encoded = ENCODED.fullmatch(text)
    key = base64.b64decode(encoded[1]) if encoded else b""
    if encoded and 24 <= len(key) <= 64 and base64.b64encode(key).decode() == encoded[1]:
        return key
    told = "neither whsec_ and base64 of 24 to 64 bytes, nor a text that begins with neither whsec_ nor v1,"
    raise ValueError(f"the secret is {told}")
