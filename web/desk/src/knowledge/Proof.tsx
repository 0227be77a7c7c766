// What an entry would do to customers' questions, below its text while it is written.

import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, call } from "../api/client";
import type { components } from "../api/schema";
import { codeOf, explain } from "../inbox/failures";
import { useSettled } from "../ui/parts";
import { count, straight } from "../ui/texts";
import { k } from "./texts";

type Schemas = components["schemas"];
export type Change = Schemas["ProposedChange"];
export type Questions = Schemas["DryRunQuestions"];
export type Question = Schemas["DryRunQuestion"];

/** Asked again at most twice a second. */
const ASK_MS = 500;
/** A sheet shows what so many calls of a hundred questions each tell. */
const MAX_PAGES = 5;

/** An answer belongs to the texts that it was asked with, so the last one wins whenever it comes. */
export const dryRunQuery = (change: Change, questions: Questions) =>
  infiniteQueryOptions({
    queryKey: ["dryRun", JSON.stringify([change, questions])],
    staleTime: 0,
    gcTime: 30_000,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => call(api.POST("/dry-runs", { body: { changes: [change], questions, cursor: pageParam }, signal })),
    getNextPageParam: (page, all) => (page.hasMore && all.length < MAX_PAGES ? page.nextCursor : undefined),
  });

const isAnswered = (one: Question) => one.after.disposition === "answered";

/** "Answers 14 of 17, these 3 remain", while somebody types. */
export function LiveProof({ change, questions }: { change: Change | null; questions: Questions }): ReactNode {
  const settled = useSettled(change && JSON.stringify(change), ASK_MS);
  if (!settled) return <p className="hint">{k("proof.empty")}</p>;
  return <Proof change={JSON.parse(settled) as Change} questions={questions} />;
}

function Proof({ change, questions }: { change: Change; questions: Questions }): ReactNode {
  const asked = useInfiniteQuery({ ...dryRunQuery(change, questions), placeholderData: keepPreviousData });
  const items = asked.data?.pages.flatMap((page) => page.items) ?? [];
  const remaining = items.filter((one) => !isAnswered(one));
  return (
    <section className="proof" aria-label={k("proof.title")} aria-busy={asked.isFetching}>
      <p role="status">
        {asked.data && k("proof.answers", { answered: count(items.length - remaining.length), all: count(items.length) })}
        {asked.error && !asked.data && explain(codeOf(asked.error))}
      </p>
      {asked.data?.pages[0]?.reliesOnModel && <p className="hint">{k("proof.model")}</p>}
      {remaining.length > 0 && (
        <>
          <p className="hint">{k("proof.remain")}</p>
          <ul>
            {remaining.map((one) => (
              <li key={one.messageId ?? one.question} dir="auto">
                {straight(one.question)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
