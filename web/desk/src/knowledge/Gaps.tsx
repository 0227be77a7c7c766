// Questions that the wiki does not answer, the most asked first; beside them the entry that is to answer one.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { memo, useEffect, useRef, useState, type ReactNode } from "react";

import type { Gap } from "../api/client";
import { go } from "../place";
import { isGone } from "../settings/data";
import { LoadMore, QueryResult, Select } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { useObservable } from "../store/observable";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { count, fullTime, percent, straight } from "../ui/texts";
import { AnswerMark } from "./AnsweredGap";
import { GapPane } from "./GapPane";
import { answered, decideGap, gapQuery, gapsQuery, isUnanswered, LONG_MS, noteAnswered, SORTS, STATES, type Answered, type GapSort, type GapState } from "./gaps";
import { moveBetween } from "./keys";
import { entryAt, gapAt, KnowledgeLink } from "./routes";
import { k, kind } from "./texts";

/** The service is asked so soon whether it has asked a question again, and then ever more seldom: each time reads much. */
const WATCH_MS = 3_000;
const SLOWER = 4;

export function Gaps({ item }: { item: string | null }): ReactNode {
  const [status, setStatus] = useState<GapState>("open");
  const [sort, setSort] = useState<GapSort>("count");
  const list = useInfiniteQuery(gapsQuery(status, sort));
  const done = useObservable(answered);
  const items = list.data?.pages.flatMap((page) => page.items);
  const total = list.data?.pages[0];
  const canWrite = hasRole("admin", "trainer");
  const at = items?.findIndex((one) => one.gapId === item) ?? -1;
  const next = items && ([...items.slice(at + 1), ...items.slice(0, Math.max(at, 0))].find(isUnanswered)?.gapId ?? null);
  useReturn("gap", item);
  return (
    <div className={`gaps-page ${item ? "has-chosen" : ""}`}>
      <section className="gaps-list" aria-label={k("gaps.title")} onKeyDownCapture={(event) => moveBetween(event, ".gap-query a")}>
        <p className="lead">{k("gaps.lead")}</p>
        <div className="figures-head">
          <Select kind="short" label={k("gaps.status")} value={status} options={STATES.map((one) => [one, kind("gapStatus", one)])} change={(to) => setStatus(to as GapState)} />
          <Select kind="short" label={k("gaps.sort")} value={sort} options={SORTS.map((one) => [one, kind("gapSort", one)])} change={(to) => setSort(to as GapSort)} />
        </div>
        <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
          {(found) => (
            <>
              {total && total.total > 0 && <p className="hint">{k("gaps.total", { count: `${count(total.total)}${total.totalCapped ? "+" : ""}` })}</p>}
              {!found.length && <p className="empty">{kind("gapsNone", status)}</p>}
              <ol className="gaps">
                {found.map((one) => (
                  <GapLine key={one.gapId} of={one} isCurrent={one.gapId === item} answer={done.get(one.gapId)} canWrite={canWrite} />
                ))}
              </ol>
            </>
          )}
        </QueryResult>
        <LoadMore of={list} />
      </section>
      {item && <GapPane key={item} id={item} listed={items?.find((one) => one.gapId === item)} next={next ?? null} />}
      {[...done].map(([id, one]) => one.state === "open" && <GapPoller key={id} id={id} of={one} />)}
    </div>
  );
}

/** The line of the question is in sight; who closes it is there again. */
export function useReturn(kind: string, item: string | null): void {
  const before = useRef(item);
  useEffect(() => {
    if (before.current && !item) document.querySelector<HTMLElement>(`#${kind}-${before.current} a`)?.focus();
    before.current = item;
    if (!item) return undefined;
    const line = `${kind}-${item}`;
    show(line);
    // Once more when the lines around it have their heights.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => show(line)));
    return () => cancelAnimationFrame(frame);
  }, [kind, item]);
}

/** Scrolls the list alone, not the page, if the line is out of its sight. */
function show(id: string): void {
  const line = document.getElementById(id);
  const list = line?.closest(".gaps-list");
  if (!line || !list) return;
  const [own, whole] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.top < whole.top || own.bottom > whole.bottom) list.scrollTop += own.top - whole.top - whole.height / 3;
}

/** Asks for some minutes whether the service has asked an answered question again. */
function GapPoller({ id, of }: { id: string; of: Answered }): ReactNode {
  const refetchInterval = () => {
    const since = Date.now() - of.at;
    return since < LONG_MS && Math.max(WATCH_MS, since / SLOWER);
  };
  const { data, error } = useQuery({ ...gapQuery(id), refetchInterval });
  const state = isGone(error) ? "gone" : ((data?.status ?? "open") as Answered["state"]);
  useEffect(() => {
    if (state !== "open") noteAnswered(id, { ...of, state });
  }, [id, of, state]);
  return null;
}

interface LineProps {
  of: Gap;
  isCurrent: boolean;
  answer: Answered | undefined;
  canWrite: boolean;
}

const GapLine = memo(function GapLine({ of: one, isCurrent, answer, canWrite }: LineProps): ReactNode {
  const line = useRef<HTMLLIElement>(null);
  const others = one.examples.filter((example) => example !== one.query);
  const query = straight(one.query) || k("gaps.erased");
  const isOpen = one.status === "open";
  const decide = async () => {
    // The line goes, and what has the focus with it.
    const near = line.current?.nextElementSibling ?? line.current?.previousElementSibling;
    try {
      await decideGap(one.gapId, isOpen ? "dismissed" : "open");
      if (isCurrent) go({ knowledge: gapAt() });
      near?.querySelector<HTMLElement>(".gap-query a")?.focus();
    } catch (error) {
      tell(tellProblem(error), true);
    }
  };
  return (
    <li ref={line} className={`gap-line ${isCurrent ? "current" : ""}`}>
      <span className="gap-count">
        <strong>{count(one.count)}</strong>
        <span className="hint">{k("gaps.times")}</span>
      </span>
      <div>
        <p className="gap-query" id={`gap-${one.gapId}`} dir="auto">
          <KnowledgeLink to={gapAt(one.gapId)} isCurrent={isCurrent}>
            {query}
          </KnowledgeLink>
        </p>
        {answer && <AnsweredGapState of={answer} />}
        <p className="hint">
          {k("gaps.seen", { sessions: count(one.sessions), time: fullTime(one.lastSeenAt) })}
          {one.nearestEntry && ` · ${k("gaps.nearest", { path: one.nearestEntry.path, share: percent(one.nearestEntry.confidence) })}`}
        </p>
        {others.length > 0 && !isCurrent && (
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
      {canWrite && one.status !== "resolved" && !answer && (
        <Button kind="quiet" aria-label={k(isOpen ? "gaps.dismissOne" : "gaps.reopenOne", { query })} onPress={() => void decide()}>
          {k(isOpen ? "gaps.dismiss" : "gaps.reopen")}
        </Button>
      )}
    </li>
  );
});

/** The state of a question that this person answered. */
function AnsweredGapState({ of }: { of: Answered }): ReactNode {
  return (
    <p className="gap-became">
      <AnswerMark of={of} /> <KnowledgeLink to={entryAt(of.path)}>{of.path}</KnowledgeLink>
    </p>
  );
}
