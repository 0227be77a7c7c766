"""What all models have in common."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic.alias_generators import to_camel


class _Headers(dict[str, str]):
    """Headers that make no difference between models that are otherwise equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Headers)


class Model(BaseModel):
    """A JSON object of the API. Fields that a newer service adds are kept in `model_extra`."""

    model_config = ConfigDict(
        extra="allow", populate_by_name=True, alias_generator=lambda name: to_camel(name.rstrip("_"))
    )
    _headers: _Headers = PrivateAttr(default_factory=_Headers)


def headers_of(model: BaseModel) -> Mapping[str, str]:
    """The headers of the reply that a call returned, by their names in lower case: `headers_of(entry)["etag"]`."""
    return getattr(model, "_headers", None) or {}


def keep_headers(model: Any, headers: Mapping[str, str]) -> None:
    if isinstance(model, Model):
        model._headers = _Headers(headers)
