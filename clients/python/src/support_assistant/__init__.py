"""The client of the Support Assistant Service: see README.md."""

from . import errors, models
from ._chat import ChatReply
from ._client import AsyncClient, Client
from ._model import headers_of
from .errors import ApiError, SupportError
from .webhooks import Event, UnknownEvent, Webhooks

__all__ = [
    "ApiError", "AsyncClient", "ChatReply", "Client", "Event", "SupportError", "UnknownEvent", "Webhooks", "errors", "headers_of", "models",
]  # fmt: skip
