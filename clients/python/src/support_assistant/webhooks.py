"""Events that the service sends."""

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


class Webhooks:
    """Verifies what a webhook with this secret receives."""

    def __init__(self, secret: str) -> None:
        # The service uses the bytes of a secret without the prefix; the library would decode it.
        self._webhook = standardwebhooks.Webhook(secret if secret.startswith("whsec_") else secret.encode())

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
