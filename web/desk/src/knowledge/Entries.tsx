// All entries: searched, filtered, and those that are begun and not saved.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Input } from "react-aria-components/Input";
import { SearchField } from "react-aria-components/SearchField";

import type { EntryItem } from "../api/client";
import { go } from "../place";
import { useInfiniteScroll } from "../inbox/scroll";
import { QueryResult, Select } from "../settings/parts";
import { hasRole } from "../signin/session";
import { Button, Icon } from "../ui/parts";
import { count, moment, straight } from "../ui/texts";
import { entriesQuery } from "./data";
import { moveBetween } from "./keys";
import { EntryMarks } from "./marks";
import { k } from "./texts";
import { draftOf, unsavedAll, type Unsaved } from "./unsaved";
import { draftEditAt, editAt, entryAt, KnowledgeLink, listAt, type Filters } from "./routes";

/** Words are searched for when nobody types for this long. */
const WAIT_MS = 200;
const MAX_SHOWN = 240;

export function Entries({ filters }: { filters: Filters }): ReactNode {
  const list = useInfiniteQuery({ ...entriesQuery(filters), placeholderData: (before) => before });
  const items = list.data?.pages.flatMap((page) => page.items);
  const first = list.data?.pages[0];
  const isFiltered = Object.values(filters).some(Boolean);
  const change = (to: Partial<Filters>) => go({ knowledge: listAt({ ...filters, ...to }) }, true);
  return (
    <div className="entries" onKeyDownCapture={(event) => moveBetween(event, ".search input, .entry-title")}>
      <div className="entries-head">
        <Search q={filters.q} change={(q) => change({ q })} />
        <Button kind="primary" hint="n" onPress={() => go({ knowledge: "/new" })}>
          {k(hasRole("admin", "trainer") ? "entry.new" : "propose.new")}
        </Button>
      </div>
      <div className="figures-head">
        <Select
          kind="short"
          label={k("entry.visibility")}
          value={filters.visibility}
          options={[["", k("filter.all")], ["public", k("visibility.public")], ["internal", k("visibility.internal")]]}
          change={(visibility) => change({ visibility })}
        />
        {filters.under && <FilterTag name={k("filter.under", { under: filters.under })} remove={() => change({ under: "" })} />}
        {filters.tag && <FilterTag name={k("filter.tag", { tag: straight(filters.tag) })} remove={() => change({ tag: "" })} />}
      </div>
      <UnsavedTexts />
      <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
        {(found) => (
          <div aria-busy={list.isPlaceholderData}>
            <p className="hint" role="status">
              {first && first.total > 0 ? k("list.total", { count: `${count(first.total)}${first.totalCapped ? "+" : ""}` }) : ""}
            </p>
            {!found.length && <p className="empty">{k(isFiltered ? "list.noMatch" : "list.none")}</p>}
            <ol className="entry-list">
              {found.map((one) => (
                <Line key={one.path} of={one} isSearched={!!filters.q} />
              ))}
            </ol>
            <ScrollEnd isActive={list.hasNextPage && !list.isFetching} more={() => void list.fetchNextPage()} />
          </div>
        )}
      </QueryResult>
    </div>
  );
}

/** Reads more when the end of the list comes into sight. */
function ScrollEnd({ isActive, more }: { isActive: boolean; more: () => void }): ReactNode {
  return <span ref={useInfiniteScroll(isActive, more)} className="end" />;
}

function Search({ q, change }: { q: string; change: (to: string) => void }): ReactNode {
  const [typed, setTyped] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(q);
  const latest = useRef(change);
  latest.current = change;
  // Another place of the history, or a filter that was taken away.
  useEffect(() => {
    if (q !== sent.current) setTyped((sent.current = q));
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (to: string) => {
    sent.current = to.trim();
    latest.current(to.trim());
  };
  const type = (to: string) => {
    setTyped(to);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(to), WAIT_MS);
  };
  return (
    <SearchField className="search" aria-label={k("search")} value={typed} onChange={type} maxLength={500}>
      <Icon name="search" />
      <Input translate="no" placeholder={k("search")} />
      <kbd aria-hidden="true">/</kbd>
    </SearchField>
  );
}

function FilterTag({ name, remove }: { name: string; remove: () => void }): ReactNode {
  return (
    <span className="mark tag chosen">
      {name}
      <button type="button" className="remove" aria-label={k("filter.remove", { name })} onClick={remove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

function Line({ of: one, isSearched }: { of: EntryItem; isSearched: boolean }): ReactNode {
  return (
    <li className="entry-line">
      <div className="entry-head">
        <KnowledgeLink kind="entry-title" to={entryAt(one.path)}>
          <bdi>
            <Marked of={one} field="title" text={one.title} isSearched={isSearched} />
          </bdi>
        </KnowledgeLink>
        <time className="hint" dateTime={one.updatedAt}>
          {moment(one.updatedAt)}
        </time>
      </div>
      <p className="entry-text" dir="auto">
        <Marked of={one} field="content" text={one.content} isSearched={isSearched} />
      </p>
      <EntryMarks of={one} />
    </li>
  );
}

/** A text with the words that were searched for. */
function Marked({ of, field, text, isSearched }: { of: EntryItem; field: string; text: string; isSearched: boolean }): ReactNode {
  const found = isSearched ? of.highlights?.find((one) => one.field === field)?.segments : undefined;
  if (!found) return <span>{bare(text).slice(0, MAX_SHOWN)}</span>;
  return found.map((one, index) => (one.match ? <mark key={index}>{bare(one.text)}</mark> : <span key={index}>{bare(one.text)}</span>));
}

/** Markdown without its most frequent marks: a line of a list has no room for them. */
const bare = (text: string) => straight(text).replace(/!\[([^\]]*)\]\([^)\s]*\)/g, "$1").replace(/\*\*|__|`|^#{1,6} /gm, "");

/** The page on which somebody goes on with what is not saved. */
function addressOf({ id, base }: Unsaved): string {
  const draftId = draftOf(id);
  return draftId ? draftEditAt(draftId) : base ? editAt(id) : "/new";
}

/** The texts that this person has begun and not saved, in this browser. */
function UnsavedTexts(): ReactNode {
  const { data } = useQuery({ queryKey: ["unsaved"], staleTime: 0, gcTime: 0, queryFn: unsavedAll });
  const shown = data?.filter((one) => one.base || one.id === "new:") ?? [];
  if (!shown.length) return null;
  return (
    <div className="told unsaved">
      <span>{k("unsaved.list")}</span>
      {shown.map((one) => (
        <KnowledgeLink key={one.id} to={addressOf(one)}>
          {straight(one.values.title) || k("entry.new")}
        </KnowledgeLink>
      ))}
    </div>
  );
}
