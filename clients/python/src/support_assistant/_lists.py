"""Iterators over all pages of a list."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from .models import DryRunRequest

# The service lists no page beyond this many items.
MOST_ITEMS = 10_000
Item = TypeVar("Item", covariant=True)


class Page(Protocol[Item]):
    @property
    def items(self) -> Sequence[Item]: ...
    @property
    def has_more(self) -> bool: ...


def following(body: DryRunRequest, cursor: str | None) -> DryRunRequest:
    """The request for the page at a cursor."""
    return body.model_copy(update={"cursor": cursor}) if cursor else body


def _after(page: Any, at: Any, limit: int) -> Any:
    """The cursor or number of the next page. `limit` is 0 in lists without numbers. A page may be empty and have a next."""
    following = at + 1 if limit else page.next_cursor
    return following if page.has_more and following and (not limit or following * limit <= MOST_ITEMS) else None


def each(call: Callable[[Any], Page[Item]], limit: int = 0) -> Iterator[Item]:
    at, is_first = 1 if limit else None, True
    while at or is_first:
        page, is_first = call(at), False
        yield from page.items
        at = _after(page, at, limit)


async def each_async(call: Callable[[Any], Awaitable[Page[Item]]], limit: int = 0) -> AsyncIterator[Item]:
    at, is_first = 1 if limit else None, True
    while at or is_first:
        page, is_first = await call(at), False
        for item in page.items:
            yield item
        at = _after(page, at, limit)
