// The conversations that a figure counts, newest first.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";

import { api, type Session } from "../api/client";
import { nameOf } from "../inbox/name";
import { useAutoLoad } from "../ui/autoLoad";
import { PlaceLink } from "../ui/PlaceLink";
import { dateLocale, fullTime, moment, named, t, unmarked } from "../ui/texts";
import { LoadMore, QueryResult } from "./parts";
import { s } from "./texts";

/** The figures that count conversations which the service can list. */
export const LISTED = ["sessions", "contained", "escalated"] as const;
type Listed = (typeof LISTED)[number];

const PAGE = 50;

export const isListed = (id: string): id is Listed => (LISTED as readonly string[]).includes(id);
/** The page of a figure's conversations in days, both included. */
export const sessionsAt = (id: Listed, from: string, to: string): string => `figures/${id}_${from}_${to}`;

const day = (date: string) => new Intl.DateTimeFormat(dateLocale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));

export function FigureSessions({ item }: { item: string }): ReactNode {
  const [, id = "", from = "", to = ""] = /^([a-z]+)_(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/.exec(item) ?? [];
  const title = useRef<HTMLHeadingElement>(null);
  // Moves a keyboard user here.
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="figure-sessions">
      <p>
        <PlaceLink to={{ settings: "figures" }}>{s("figures.back")}</PlaceLink>
      </p>
      {isListed(id) ? (
        <>
          <h3 ref={title} tabIndex={-1}>
            {s(`figure.${id}`)}: {from === to ? day(from) : s("figures.range", { from: day(from), to: day(to) })}
          </h3>
          <Sessions id={id} from={from} to={to} />
          <p className="hint">{s("figures.utcDays")}</p>
        </>
      ) : (
        <p className="empty">{s("figures.unknown")}</p>
      )}
    </section>
  );
}

function Sessions({ id, from, to }: { id: Listed; from: string; to: string }): ReactNode {
  const escalated = id === "sessions" ? undefined : id === "escalated" ? ("true" as const) : ("false" as const);
  const list = useInfiniteQuery({
    queryKey: ["figure sessions", id, from, to],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => api.listSessions({ from, to, escalated, limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items);
  const isAutoLoading = useAutoLoad(list, items?.length === 0);
  return (
    <>
      <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
        {(found) => (
          <>
            {!found.length && (isAutoLoading || !list.hasNextPage) && <p className="empty">{isAutoLoading ? t("loading") : s("figures.noSessions")}</p>}
            <ul>
              {found.map((one) => (
                <Line key={one.sessionId} of={one} />
              ))}
            </ul>
          </>
        )}
      </QueryResult>
      {!isAutoLoading && <LoadMore of={list} />}
    </>
  );
}

function Line({ of: one }: { of: Session }): ReactNode {
  const words = one.lastWords?.question ?? one.lastWords?.text;
  return (
    <li>
      <p>
        <PlaceLink to={{ view: "waiting", sessionId: one.sessionId }}>
          <bdi>{nameOf({ ...one.user, ...one })}</bdi>
        </PlaceLink>
        <span className="mark">{named("ownership", one.ownership)}</span>
        <time className="hint" dateTime={one.createdAt} title={fullTime(one.createdAt)}>
          {moment(one.createdAt)}
        </time>
      </p>
      {words && (
        <p className="cut hint" dir="auto">
          {unmarked(words)}
        </p>
      )}
    </li>
  );
}
