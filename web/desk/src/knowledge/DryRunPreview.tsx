// The effect of an entry on customers' questions, below its text while it is written.

import { infiniteQueryOptions, useInfiniteQuery, type InfiniteData } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { api, ApiError, type DryRun, type DryRunQuestion, type DryRunQuestions, type ProposedChange } from "../api/client";
import { codeOf, explain } from "../inbox/failures";
import { Button, useSettled } from "../ui/parts";
import { count, straight } from "../ui/texts";
import { ConversationButton } from "./ConversationButton";
import { DryAnswer } from "./DryAnswer";
import { PinButton } from "./Pins";
import { k } from "./texts";

export type Change = ProposedChange;
export type Questions = DryRunQuestions;
export type Question = DryRunQuestion;

/** Asked again at most twice a second, and no second time before the first is answered, unless that takes long. */
const ASK_MS = 500;
const PATIENCE_MS = 4_000;
/** Said aloud when nothing changed for this long. */
const SAY_MS = 2_000;
/** A sheet shows what so many calls of a hundred questions each tell. */
const MAX_PAGES = 5;

/** An answer belongs to the texts that it was asked with, so the last one wins whenever it comes. */
export const dryRunQuery = (change: Change, questions: Questions) =>
  infiniteQueryOptions({
    queryKey: ["dryRun", JSON.stringify([change, questions])],
    staleTime: 0,
    gcTime: 30_000,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => api.tryChanges({ body: { changes: [change], questions, cursor: pageParam } }, { signal }),
    getNextPageParam: (page, all) => (page.hasMore && all.length < MAX_PAGES ? page.nextCursor : undefined),
  });

/** A caller has one run at a time: the one before may still be going on. */
export const isOfAnotherRun = (failures: number, error: Error) => failures < 3 && error instanceof ApiError && error.status === 429;

export const isAnswered = (one: Question) => one.after.disposition === "answered";

/** The part of the page that says why an entry does not answer the questions that remain. */
export type Held = (of: { change: Change; questions: Questions; items: Question[] }) => ReactNode;

/** "Answers 14 of 17, these 3 remain", while somebody types. */
export function DryRunPreview({ change, questions, held }: { change: Change | null; questions: Questions; held: Held | null }): ReactNode {
  const [asked, setAsked] = useState(change);
  const [askedAt, setAskedAt] = useState(0);
  const query = useInfiniteQuery({ ...dryRunQuery(asked ?? NOTHING, questions), enabled: !!asked, retry: isOfAnotherRun });
  const isBusy = query.isFetching;
  const wanted = JSON.stringify(change);
  const isNews = wanted !== JSON.stringify(asked);
  useEffect(() => {
    if (!isNews) return undefined;
    const ask = () => {
      setAsked(JSON.parse(wanted) as Change | null);
      setAskedAt(Date.now());
    };
    const timer = setTimeout(ask, askedAt + (isBusy ? PATIENCE_MS : ASK_MS) - Date.now());
    return () => clearTimeout(timer);
  }, [isNews, wanted, askedAt, isBusy]);
  // The last result stays while the questions are asked again, and if that fails.
  const told = useRef<InfiniteData<DryRun> | undefined>(undefined);
  const box = useRef<HTMLElement>(null);
  if (query.data || !asked) told.current = asked ? query.data : undefined;
  if (!asked) return <p className="hint">{k("proof.empty")}</p>;
  const again = () => {
    // The button goes.
    box.current?.focus();
    void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch());
  };
  return (
    <section ref={box} className="proof" tabIndex={-1} aria-label={k("proof.title")} aria-busy={isBusy || isNews}>
      {query.error && !isBusy && <Failure of={query.error} isAfter={!!told.current} again={again} />}
      {!told.current && isBusy && <p className="hint">{k("proof.asking")}</p>}
      {told.current && <LiveResult of={told.current} change={asked} more={query.data && query.hasNextPage ? () => void query.fetchNextPage() : null} />}
      {told.current && !isBusy && !isNews && held?.({ change: asked, questions, items: told.current.pages[0]?.items ?? [] })}
    </section>
  );
}

const NOTHING: Change = { path: "" };

function Failure({ of: error, isAfter, again }: { of: Error; isAfter: boolean; again: () => void }): ReactNode {
  const status = error instanceof ApiError ? error.status : 0;
  // A change that could not be saved either. Another name, or another text, is tried by itself.
  if (status === 400) return <p className="hint">{k("proof.notYet")}</p>;
  if (status === 409) return <p className="hint">{k("proof.taken")}</p>;
  if (status === 404) return <p className="hint">{k("proof.gone")}</p>;
  return (
    <p className="problem" role="alert">
      {k("proof.failed", { why: explain(codeOf(error)) })} {isAfter && k("proof.before")}{" "}
      <Button kind="text" onPress={again}>
        {k("proof.again")}
      </Button>
    </p>
  );
}

function LiveResult({ of, change, more }: { of: InfiniteData<DryRun>; change: Change; more: (() => void) | null }): ReactNode {
  const items = of.pages.flatMap((page) => page.items);
  const remaining = items.filter((one) => !isAnswered(one));
  const slots = { answered: count(items.length - remaining.length), all: count(items.length) };
  // Tells users of screen readers once the typing pauses, in fewer words.
  const said = useSettled(items.length ? k("proof.said", slots) : "", SAY_MS);
  // A new entry is there when it is saved.
  const path = change.action !== "create" ? change.path : null;
  const isPart = of.pages.at(-1)?.hasMore;
  return (
    <>
      <p className="proof-head">{items.length ? k(isPart ? "proof.answersNewest" : "proof.answers", slots) : k("proof.none")}</p>
      <span className="said" role="status">
        {said}
      </span>
      {of.pages[0]?.reliesOnModel && <p className="hint">{k("proof.model")}</p>}
      {remaining.length > 0 && (
        <>
          <p className="hint">{k("proof.remain")}</p>
          <QuestionList of={remaining} path={path} />
        </>
      )}
      {items.length > remaining.length && (
        <details>
          <summary>{k("proof.answered", { count: slots.answered })}</summary>
          <QuestionList of={items.filter(isAnswered)} path={path} />
        </details>
      )}
      {more && <Button onPress={more}>{k("proof.more")}</Button>}
    </>
  );
}

/** Questions, each with the answer that it would get. */
function QuestionList({ of, path }: { of: Question[]; path: string | null }): ReactNode {
  return (
    <ul className="tried">
      {of.map((one) => (
        <QuestionItem key={one.messageId ?? one.question} of={one} path={path} />
      ))}
    </ul>
  );
}

function QuestionItem({ of, path }: { of: Question; path: string | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary dir="auto">{straight(of.question)}</summary>
        {isOpen && (
          <>
            <DryAnswer name={k("proof.would")} of={of.after} />
            <div className="line-acts">
              {of.sessionId && <ConversationButton sessionId={of.sessionId} messageId={of.messageId} />}
              {path && <PinButton path={path} question={of.question} />}
            </div>
          </>
        )}
      </details>
    </li>
  );
}
