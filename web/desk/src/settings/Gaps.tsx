// What customers ask and the wiki does not answer, the most asked first.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, call } from "../api/client";
import { hasRole } from "../signin/session";
import { Act } from "../ui/parts";
import { tell } from "../ui/notices";
import { count, fullTime, percent, straight } from "../ui/texts";
import { reload, type Gap } from "./data";
import { Choice, Read } from "./parts";
import { tellProblem } from "./problems";
import { s, word } from "./texts";

const STATES = ["open", "dismissed", "resolved"] as const;
const SORTS = ["count", "recent"] as const;

export function Gaps(): ReactNode {
  const [status, setStatus] = useState<(typeof STATES)[number]>("open");
  const [sort, setSort] = useState<(typeof SORTS)[number]>("count");
  const list = useInfiniteQuery({
    queryKey: ["gaps", status, sort],
    staleTime: 0,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => call(api.GET("/analytics/kb-gaps", { params: { query: { days: 90, status, sort, page: pageParam, limit: 30 } } })),
    getNextPageParam: (page) => (page.hasMore ? page.page + 1 : undefined),
  });
  const items = list.data?.pages.flatMap((page) => page.items);
  const total = list.data?.pages[0];
  return (
    <>
      <p className="lead">{s("gaps.lead")}</p>
      <div className="figures-head">
        <Choice kind="short" label={s("status")} value={status} options={STATES.map((one) => [one, word("gapStatus", one)])} change={(to) => setStatus(to as "open")} />
        <Choice kind="short" label={s("gaps.sort")} value={sort} options={SORTS.map((one) => [one, word("gapSort", one)])} change={(to) => setSort(to as "count")} />
      </div>
      <Read of={{ data: items, error: list.error, refetch: list.refetch }}>
        {(found) => (
          <>
            {total && total.total > 0 && <p className="hint">{s("gaps.total", { count: `${count(total.total)}${total.totalCapped ? "+" : ""}` })}</p>}
            {!found.length && <p className="empty">{word("gapsNone", status)}</p>}
            <ol className="gaps">
              {found.map((one) => (
                <GapLine key={one.gapId} of={one} />
              ))}
            </ol>
          </>
        )}
      </Read>
      {list.hasNextPage && <Act onPress={() => void list.fetchNextPage()}>{s("more")}</Act>}
    </>
  );
}

function GapLine({ of: one }: { of: Gap }): ReactNode {
  const others = one.examples.filter((example) => example !== one.query);
  const decide = async (status: "dismissed" | "open") => {
    try {
      await call(api.PATCH("/analytics/kb-gaps/{id}", { params: { path: { id: one.gapId } }, body: { status } }));
      await reload("gaps");
    } catch (error) {
      tell(tellProblem(error), true);
    }
  };
  return (
    <li className="gap-line">
      <span className="gap-count">
        <strong>{count(one.count)}</strong>
        <span className="hint">{s("gaps.times")}</span>
      </span>
      <div>
        <p className="gap-query" dir="auto">
          {straight(one.query) || s("gaps.erased")}
        </p>
        <p className="hint">
          {s("gaps.seen", { sessions: count(one.sessions), time: fullTime(one.lastSeenAt) })}
          {one.nearestEntry && ` · ${s("gaps.nearest", { path: one.nearestEntry.path, share: percent(one.nearestEntry.confidence) })}`}
        </p>
        {others.length > 0 && (
          <details>
            <summary>{s("gaps.others", { count: others.length })}</summary>
            <ul>
              {others.map((example) => (
                <li key={example} dir="auto">
                  {straight(example)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {hasRole("admin", "trainer") && one.status !== "resolved" && (
        <Act kind="quiet" aria-label={s(one.status === "open" ? "gaps.dismissOne" : "gaps.reopenOne", { query: straight(one.query) })} onPress={() => void decide(one.status === "open" ? "dismissed" : "open")}>
          {s(one.status === "open" ? "gaps.dismiss" : "gaps.reopen")}
        </Act>
      )}
    </li>
  );
}
