// Customers' ratings of the people who helped, with their comments and the conversations.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, type Escalation } from "../api/client";
import { nameOf } from "../inbox/name";
import { Result } from "../inbox/Result";
import { PlaceLink } from "../ui/PlaceLink";
import { moment, t } from "../ui/texts";
import { LoadMore, QueryResult } from "./parts";
import { s } from "./texts";

const PAGE = 100;
const DAY_MS = 86_400_000;

export function Ratings({ days }: { days: number }): ReactNode {
  const list = useInfiniteQuery({
    queryKey: ["ratings"],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => api.listEscalations({ status: "resolved", limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const since = Date.now() - days * DAY_MS;
  const rated = list.data?.pages.flatMap((page) => page.items.filter(({ rating }) => rating && Date.parse(rating.at) >= since));
  return (
    <section className="part ratings">
      <h3>{s("ratings")}</h3>
      <QueryResult of={{ data: rated, error: list.error, refetch: list.refetch }}>
        {(found) => (
          <>
            {!found.length && !list.hasNextPage && <p className="hint">{s("ratings.none")}</p>}
            <ul>
              {found.map((one) => (
                <Line key={one.escalationId} of={one} />
              ))}
            </ul>
          </>
        )}
      </QueryResult>
      <LoadMore of={list} />
    </section>
  );
}

function Line({ of: { escalationId, sessionId, customer, resolution, rating } }: { of: Escalation }): ReactNode {
  return (
    <li>
      <p>
        <PlaceLink to={{ view: "resolved", escalationId }}>
          <bdi>{nameOf({ ...customer, sessionId })}</bdi>
        </PlaceLink>
        <span className="mark">{rating && t("stand.rating", { score: rating.score })}</span>
        <time className="hint">{rating && moment(rating.at)}</time>
      </p>
      <Result of={{ resolution, rating }} />
    </li>
  );
}
