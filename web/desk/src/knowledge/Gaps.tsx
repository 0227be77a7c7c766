// What customers ask and the wiki does not answer, the most asked first; beside it the entry that is to answer one.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";

import { api, call } from "../api/client";
import { go } from "../place";
import { reload } from "../settings/data";
import { Choice, Read } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Act } from "../ui/parts";
import { count, fullTime, percent, straight } from "../ui/texts";
import type { Gap } from "./data";
import { EditPage } from "./EditPage";
import { proposedPath, proposedTitle } from "./names";
import { k, kind } from "./texts";
import { KnowledgeLink } from "./where";

const STATES = ["open", "dismissed", "resolved"] as const;
const SORTS = ["count", "recent"] as const;

export function Gaps({ item }: { item: string | null }): ReactNode {
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
  const chosen = items?.find((one) => one.gapId === item);
  const canWrite = hasRole("admin", "trainer");
  return (
    <div className={`gaps-page ${chosen && canWrite ? "has-chosen" : ""}`}>
      <section className="gaps-list" aria-label={k("gaps.title")}>
        <p className="lead">{k("gaps.lead")}</p>
        <div className="figures-head">
          <Choice kind="short" label={k("gaps.status")} value={status} options={STATES.map((one) => [one, kind("gapStatus", one)])} change={(to) => setStatus(to as "open")} />
          <Choice kind="short" label={k("gaps.sort")} value={sort} options={SORTS.map((one) => [one, kind("gapSort", one)])} change={(to) => setSort(to as "count")} />
        </div>
        <Read of={{ data: items, error: list.error, refetch: list.refetch }}>
          {(found) => (
            <>
              {total && total.total > 0 && <p className="hint">{k("gaps.total", { count: `${count(total.total)}${total.totalCapped ? "+" : ""}` })}</p>}
              {!found.length && <p className="empty">{kind("gapsNone", status)}</p>}
              <ol className="gaps">
                {found.map((one) => (
                  <GapLine key={one.gapId} of={one} isCurrent={one.gapId === item} canWrite={canWrite} />
                ))}
              </ol>
            </>
          )}
        </Read>
        {list.hasNextPage && <Act onPress={() => void list.fetchNextPage()}>{k("more")}</Act>}
      </section>
      {chosen && canWrite && <Answer key={chosen.gapId} gap={chosen} />}
    </div>
  );
}

function GapLine({ of: one, isCurrent, canWrite }: { of: Gap; isCurrent: boolean; canWrite: boolean }): ReactNode {
  const others = one.examples.filter((example) => example !== one.query);
  const query = straight(one.query) || k("gaps.erased");
  const decide = async (status: "dismissed" | "open") => {
    try {
      await call(api.PATCH("/analytics/kb-gaps/{id}", { params: { path: { id: one.gapId } }, body: { status } }));
      await reload("gaps");
    } catch (error) {
      tell(tellProblem(error), true);
    }
  };
  return (
    <li className={`gap-line ${isCurrent ? "current" : ""}`}>
      <span className="gap-count">
        <strong>{count(one.count)}</strong>
        <span className="hint">{k("gaps.times")}</span>
      </span>
      <div>
        <p className="gap-query" dir="auto">
          {canWrite && one.status === "open" ? (
            <KnowledgeLink to={`/gaps/${one.gapId}`} isCurrent={isCurrent}>
              {query}
            </KnowledgeLink>
          ) : (
            query
          )}
        </p>
        <p className="hint">
          {k("gaps.seen", { sessions: count(one.sessions), time: fullTime(one.lastSeenAt) })}
          {one.nearestEntry && ` · ${k("gaps.nearest", { path: one.nearestEntry.path, share: percent(one.nearestEntry.confidence) })}`}
        </p>
        {others.length > 0 && (
          <details>
            <summary>{k("gaps.others", { count: others.length })}</summary>
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
      {canWrite && one.status !== "resolved" && (
        <Act kind="quiet" aria-label={k(one.status === "open" ? "gaps.dismissOne" : "gaps.reopenOne", { query })} onPress={() => void decide(one.status === "open" ? "dismissed" : "open")}>
          {k(one.status === "open" ? "gaps.dismiss" : "gaps.reopen")}
        </Act>
      )}
    </li>
  );
}

/** The entry that answers a question: a new one with a proposed name, or the nearest changed. */
function Answer({ gap }: { gap: Gap }): ReactNode {
  const nearest = gap.nearestEntry?.path;
  const [target, setTarget] = useState("");
  const proposal = useMemo(() => ({ path: proposedPath(gap), title: proposedTitle(gap.query) }), [gap]);
  const close = () => go({ knowledge: "/gaps" });
  const done = () => {
    tell(k("gaps.answered"));
    void reload("gaps");
    close();
  };
  return (
    <section className="gap-answer" aria-label={k("gaps.answer")}>
      <div className="gap-answer-head">
        <h3 dir="auto">{straight(gap.query) || k("gaps.erased")}</h3>
        <Act kind="quiet" onPress={close}>
          {k("gaps.close")}
        </Act>
      </div>
      {gap.examples.length > 1 && (
        <ul className="gap-examples" aria-label={k("gaps.others", { count: gap.examples.length })}>
          {gap.examples.map((example) => (
            <li key={example} dir="auto">
              {straight(example)}
            </li>
          ))}
        </ul>
      )}
      {nearest && (
        <Choice
          label={k("gaps.where")}
          value={target}
          options={[
            ["", k("gaps.whereNew")],
            [nearest, k("gaps.whereNearest", { path: nearest })],
          ]}
          change={setTarget}
        />
      )}
      <EditPage key={target} path={target || null} id={target || `gap:${gap.gapId}`} proposal={proposal} gapId={gap.gapId} done={done} cancel={close} />
    </section>
  );
}
