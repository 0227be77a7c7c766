// The left pane: views with their counts, the filter by tag, and who is in them.

import { useInfiniteScroll } from "./scroll";
import { memo, useEffect, type ComponentType, type ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";

import { address, go, here, usePlaceOf, VIEWS, type View } from "../place";
import { Observable, useObservable } from "../store/observable";
import { Button, useNow } from "../ui/parts";
import { follow, PlaceLink } from "../ui/PlaceLink";
import { count, duration, moment, named, straight, t, unmarked } from "../ui/texts";
import { drafted } from "../writing/drafts";
import { listQuery, readMore, type List, type Row } from "./data";
import type { LastWords } from "../api/client";
import { takeNext } from "./actions";
import { tellFailure } from "./failures";
import { mark, marked, showLines, unmark } from "./marks";
import { order, ORDERS, type Order } from "./order";
import { unread } from "./unread";

const MAX_TAGS = 100;
/** Reasons that the other marks, or the words, tell. */
const SAID = new Set<string | null>(["manual", "came_back"]);

const NONE: Row[] = [];

/** The bar for the marked lines. */
const bar = new Observable<{ Bar: ComponentType<{ lines: readonly Row[] }> } | null>(null);

/** Loads the bar with the first mark. A failure is told, and the next mark tries again. */
async function loadBar(): Promise<void> {
  if (bar.get()) return;
  try {
    bar.set({ Bar: (await import("../bulk/Bar")).default });
  } catch (error) {
    tellFailure(error);
  }
}

const useView = () => usePlaceOf((place) => place.view);
const useTag = () => usePlaceOf((place) => place.tag);

export const Queue = memo(function Queue({ list, isFailed }: { list: List | undefined; isFailed: boolean }): ReactNode {
  const [view, tag] = [useView(), useTag()];
  const loaded = useObservable(bar);
  const marks = useObservable(marked);
  const lines = list?.items ?? NONE;
  useEffect(() => showLines(lines), [lines]);
  useEffect(() => () => unmark(), [view, tag]);
  useEffect(() => {
    if (marks.size) void loadBar();
  }, [marks]);
  return (
    <nav className="queue" aria-label={t("queue.title")}>
      <Views view={view} />
      <div className="queue-choices">
        <TagFilter tag={tag} rows={list?.items ?? []} />
        <OrderChoice />
      </div>
      <QueueRows list={list} isFailed={isFailed} />
      {loaded && <loaded.Bar lines={lines} />}
      <div className="queue-foot">
        <Button kind="primary wide" hint="t" onPress={() => void takeNext()}>
          {t("act.takeNext")}
        </Button>
      </div>
    </nav>
  );
});

function Views({ view }: { view: View }): ReactNode {
  const waiting = useQuery(listQuery("waiting", null)).data;
  const mine = useQuery(listQuery("mine", null)).data;
  const counts: Partial<Record<View, number | undefined>> = {
    waiting: waiting?.waiting,
    mine: mine?.items.length,
    everybody: waiting?.claimed,
  };
  const capped = (one: View) => (one !== "mine" && waiting?.isCapped) || (one === "mine" && mine?.hasMore);
  return (
    <ul className="views">
      {VIEWS.map((one) => (
        <li key={one}>
          <PlaceLink to={{ view: one, tag: null }} isCurrent={one === view}>
            {t(`view.${one}`)}
            {counts[one] !== undefined && (
              <span className={`count ${one === "waiting" && counts[one] ? "hot" : ""}`}>
                {count(counts[one])}
                {capped(one) ? "+" : ""}
              </span>
            )}
          </PlaceLink>
        </li>
      ))}
    </ul>
  );
}

function TagFilter({ tag, rows }: { tag: string | null; rows: Row[] }): ReactNode {
  const tags = [...new Set([...(tag ? [tag] : []), ...rows.flatMap((row) => row.tags)])].sort().slice(0, MAX_TAGS);
  if (!tags.length) return null;
  return (
    <label className="tag-filter">
      <span>{t("queue.tag")}</span>
      <select value={tag ?? ""} onChange={(event) => go({ ...here(), tag: event.target.value || null })}>
        <option value="">{t("queue.allTags")}</option>
        {tags.map((one) => (
          <option key={one} value={one}>
            {straight(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function OrderChoice(): ReactNode {
  const by = useObservable(order);
  return (
    <label className="tag-filter">
      <span>{t("queue.order")}</span>
      <select value={by} onChange={(event) => order.set(event.target.value as Order)}>
        {ORDERS.map((one) => (
          <option key={one} value={one}>
            {t(`order.${one}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

function QueueRows({ list, isFailed }: { list: List | undefined; isFailed: boolean }): ReactNode {
  const [view, tag] = [useView(), useTag()];
  const now = useNow(10_000);
  const withDraft = useObservable(drafted);
  const newOnes = useObservable(unread);
  const marks = useObservable(marked);
  const end = useInfiniteScroll(!!list?.hasMore, () => void readMore(view, tag));
  if (!list) return <div className="rows quiet">{isFailed ? t("queue.failed") : <Skeleton />}</div>;
  if (!list.items.length) return <div className="rows quiet">{t(`queue.empty.${view}`)}</div>;
  return (
    <ul className="rows" data-view={view} tabIndex={-1}>
      {list.items.map((row) => (
        <Line
          key={row.id}
          row={row}
          view={view}
          time={timeOf(row, view, now)}
          isLate={view === "waiting" && now - Date.parse(row.since) > 5 * 60_000}
          hasDraft={withDraft.has(row.sessionId)}
          isNew={newOnes.has(row.sessionId)}
          isMarked={marks.has(row.id)}
          tag={tag}
        />
      ))}
      {list.hasMore && (
        // Anew after each page: it may still be in view, which no watcher tells again.
        <li key={`more-${list.items.length}`} ref={end} className="quiet">
          <Button onPress={() => void readMore(view, tag)}>{t("queue.more")}</Button>
        </li>
      )}
    </ul>
  );
}

export function placeOf(row: Row): { escalationId: string | null; sessionId: string | null } {
  return { escalationId: row.escalationId, sessionId: row.escalationId ? null : row.sessionId };
}

function timeOf(row: Row, view: View, now: number): string {
  if (view === "snoozed" && row.snoozedUntil) return moment(row.snoozedUntil);
  if (view === "resolved" || view === "assistant") return moment(row.wroteAt ?? row.since);
  return duration(now - Date.parse((view === "waiting" ? row.since : row.wroteAt) ?? row.since));
}

interface LineProps {
  row: Row;
  view: View;
  time: string;
  isLate: boolean;
  hasDraft: boolean;
  isNew: boolean;
  isMarked: boolean;
  /** The filter, which stays in the address. */
  tag: string | null;
}

/** One customer. A move through the list draws two of them again, the one that was open and the one that is. */
const Line = memo(function Line({ row, view, time, isLate, hasDraft, isNew, isMarked, tag }: LineProps): ReactNode {
  const isOpen = usePlaceOf((place) => (row.escalationId ? place.escalationId === row.escalationId : place.sessionId === row.sessionId));
  const { name, words } = row;
  const reason = row.category ? named("category", row.category) : named("ownership", row.status);
  const holder = view === "everybody" && row.holder ? straight(row.holder.name ?? row.holder.agentId) : null;
  const former = view === "waiting" && row.former ? straight(row.former.name ?? row.former.agentId) : null;
  return (
    <li>
      <input
        type="checkbox"
        className="pick"
        aria-label={t("queue.mark", { name })}
        checked={isMarked}
        onChange={({ nativeEvent }) => mark(row, (nativeEvent as MouseEvent).shiftKey)}
      />
      <a
        id={`row-${row.id}`}
        className={`row ${isNew ? "new" : ""}`}
        href={address({ view, tag, ...placeOf(row) })}
        aria-current={isOpen ? "true" : undefined}
        onClick={(event) => follow(event, () => go(placeOf(row)))}
      >
        <span className="row-name">
          {isNew && <span className="dot" role="img" aria-label={t("queue.new")} />}
          <span className="cut">
            <bdi>{name}</bdi>
          </span>
        </span>
        <span className={`row-time ${isLate ? "late" : ""}`}>{time}</span>
        <span className="row-reason cut">
          <bdi>{words ? said(words) : reason}</bdi>
        </span>
        <span className="row-marks">
          {row.isUrgent && <span className="mark urgent">{t("priority.high")}</span>}
          {row.category === "came_back" && <span className="mark">{t("queue.cameBack")}</span>}
          {former && <span className="mark cut">{t("queue.former", { name: former })}</span>}
          {hasDraft && <span className="mark">{t("queue.draft")}</span>}
          {words && <ReplyMark words={words} view={view} />}
          {view === "waiting" && words && !SAID.has(row.category) && <span className="mark">{reason}</span>}
          {holder && <span className="mark">{holder}</span>}
          {row.tags.slice(0, 2).map((one) => (
            <span className="mark tag cut" key={one} dir="auto">
              {straight(one)}
            </span>
          ))}
        </span>
      </a>
    </li>
  );
});

/** The last words of the customer, unless a person has answered them. */
function said(words: LastWords): string {
  if (words.role === "customer") return unmarked(words.text);
  if (words.question) return unmarked(words.question);
  return t("queue.said", { who: named("turn", words.role), text: unmarked(words.text) });
}

/**
 * The side that owes an answer; of the assistant's conversations, what became of the question. In the queue everybody waits,
 * and whoever asked for a person still does after an answer of the assistant.
 */
function ReplyMark({ words, view }: { words: LastWords; view: View }): ReactNode {
  if (view === "waiting" || view === "resolved") return null;
  if (view === "assistant" && words.disposition) {
    return <span className={`mark outcome ${words.disposition}`}>{named("disposition", words.disposition)}</span>;
  }
  return words.role === "agent" ? <span className="mark">{t("owed.byCustomer")}</span> : <span className="mark owed">{t("owed.byUs")}</span>;
}

function Skeleton(): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label={t("loading")}>
      <i />
      <i />
      <i />
    </div>
  );
}
