// A section of a page that differs from the entry that a person wrote since: both beside each other.

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";

import { isGone } from "../settings/data";
import { QueryResult } from "../settings/parts";
import { straight } from "../ui/texts";
import { compare, type Part } from "./compare";
import { entryQuery } from "./data";
import { draftQuery } from "./draft";
import { draftAt, KnowledgeLink } from "./routes";
import { k } from "./texts";

interface Props {
  path: string;
  /** The draft that has the page's text. */
  draftId: string;
}

export function PageConflict(props: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="page-conflict" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{k("ingest.compare")}</summary>
      {isOpen && <PageBesideEntry {...props} />}
    </details>
  );
}

function PageBesideEntry({ path, draftId }: Props): ReactNode {
  const entry = useQuery(entryQuery(path));
  const draft = useQuery(draftQuery(draftId));
  if (isGone(draft.error) || isGone(entry.error)) return <p role="alert">{k(isGone(entry.error) ? "entry.gone" : "ingest.draftGone")}</p>;
  const content = entry.data && draft.data ? { ours: entry.data.data.content, page: draft.data.data.content ?? "" } : undefined;
  const refetch = () => Promise.all([entry.refetch(), draft.refetch()]);
  return (
    <QueryResult of={{ data: content, error: entry.error ?? draft.error, refetch }}>
      {({ ours, page }) => (
        <>
          <Texts ours={ours} page={page} />
          {draft.data?.data.status === "open" && <KnowledgeLink to={draftAt(draftId)}>{k("ingest.draft")}</KnowledgeLink>}
        </>
      )}
    </QueryResult>
  );
}

function Texts({ ours, page }: { ours: string; page: string }): ReactNode {
  const { from, to } = useMemo(() => compare(ours, page), [ours, page]);
  return (
    <div className="versions">
      <Text name={k("ingest.ours")} parts={from} mark="del" />
      <Text name={k("ingest.page")} parts={to} mark="ins" />
    </div>
  );
}

function Text({ name, parts, mark: Mark }: { name: string; parts: Part[]; mark: "del" | "ins" }): ReactNode {
  return (
    <section className="version" aria-label={name} tabIndex={0}>
      <h3>{name}</h3>
      <p className="version-text" dir="auto">
        {parts.map(({ text, isChanged }, index) => (isChanged ? <Mark key={index}>{straight(text)}</Mark> : <span key={index}>{straight(text)}</span>))}
      </p>
    </section>
  );
}
