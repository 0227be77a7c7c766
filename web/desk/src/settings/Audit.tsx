// The history of changes, newest first, in plain words.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, type AuditEntry } from "../api/client";
import { day, clockTime, straight } from "../ui/texts";
import { keysQuery, membersQuery, webhooksQuery } from "./data";
import { LoadMore, QueryResult } from "./parts";
import { known, s, word } from "./texts";

const PAGE = 50;

export function Audit(): ReactNode {
  const audit = useInfiniteQuery({
    queryKey: ["audit"],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => api.listAudit({ limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const names = useNames();
  const entries = audit.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <p className="lead">{s("audit.lead")}</p>
      <QueryResult of={{ data: entries, error: audit.error, refetch: audit.refetch }}>{(items) => <Entries items={items} names={names} />}</QueryResult>
      <LoadMore of={audit} />
    </>
  );
}

/** The names of what still is there, by id. */
function useNames(): Map<string, string> {
  const [members, keys, webhooks] = [useQuery(membersQuery), useQuery(keysQuery), useQuery(webhooksQuery)];
  return new Map([
    ...(members.data ?? []).map((one) => [one.memberId, one.name] as const),
    ...(keys.data ?? []).map((one) => [one.keyId, one.name] as const),
    ...(webhooks.data ?? []).map((one) => [one.webhookId, one.description || one.url] as const),
  ]);
}

function Entries({ items, names }: { items: AuditEntry[]; names: Map<string, string> }): ReactNode {
  if (!items.length) return <p className="empty">{s("audit.none")}</p>;
  const days = new Map<string, AuditEntry[]>();
  for (const one of items) {
    const found = days.get(day(one.at));
    if (found) found.push(one);
    else days.set(day(one.at), [one]);
  }
  return [...days].map(([date, entries]) => (
    <section key={date} className="part">
      <h3>{date}</h3>
      <ul className="events">
        {entries.map((one, at) => (
          <li key={`${one.at} ${at}`}>
            <time dateTime={one.at}>{clockTime(one.at)}</time>
            <span>
              <Sentence of={one} names={names} />
              <Changes of={one} />
            </span>
            {one.mode === "test" && <span className="mark test">{word("mode", "test")}</span>}
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** The values before and after. */
function Changes({ of: { changes } }: { of: AuditEntry }): ReactNode {
  const shown = (value: unknown) => straight(Array.isArray(value) ? value.join(", ") : String(value ?? "")) || "–";
  return changes.map(({ name, from, to }) => (
    <bdi key={name} className="path">{` ${name}: ${shown(from)} → ${shown(to)}`}</bdi>
  ));
}

/** "Ada Admin made the API key Shop server": the slots of the sentence are who and what. */
function Sentence({ of: { actor, action, target }, names }: { of: AuditEntry; names: Map<string, string> }): ReactNode {
  const text = known("audit", action) ?? `{who}: ${action} {what}`;
  const isItself = actor.id === target;
  const who = actor.type === "operator" ? s("audit.operator") : actor.type === "key" ? s("audit.key", { name: straight(actor.name) }) : straight(actor.name);
  const what = isItself ? s("audit.itself") : straight(names.get(target) ?? target);
  return text.split(/(\{who\}|\{what\})/).map((part, at) => {
    if (part === "{who}") return <bdi key={at} className="who-name">{who}</bdi>;
    if (part === "{what}") return <bdi key={at} className={names.has(target) || isItself ? "who-name" : "path"}>{what}</bdi>;
    return <span key={at}>{part}</span>;
  });
}
