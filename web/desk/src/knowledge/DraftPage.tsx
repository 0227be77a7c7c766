// A proposed change: what it would make of the entry as it is today, and what can be done with it.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { ApiError, type Draft, type Visibility } from "../api/client";
import { queries } from "../inbox/data";
import { go } from "../place";
import { isGone } from "../settings/data";
import { ConfirmDialog, QueryResult } from "../settings/parts";
import { useObservable } from "../store/observable";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { fullTime } from "../ui/texts";
import { useAuthor } from "./authors";
import { entryQuery, versionQuery, type TaggedEntry } from "./data";
import { Differences, type State } from "./Differences";
import { DraftMoved, EntryMoved } from "./DraftMoved";
import { askedOfDraft, discardDraft, draftQuery, draftsChanged, isErased, isMoved, mayChange, mayPublish, movedTo, publishDraft, type TaggedDraft } from "./draft";
import { draftName, DraftMarks } from "./Drafts";
import { toConflict, toHead } from "./focus";
import { PublishSteps } from "./PublishSteps";
import { k } from "./texts";
import { draftEditAt, entryAt, historyAt, KnowledgeLink } from "./routes";

export function DraftPage({ draftId }: { draftId: string }): ReactNode {
  const draft = useQuery(draftQuery(draftId));
  return (
    <>
      <p className="lead">
        <KnowledgeLink to="/drafts">{k("drafts.all")}</KnowledgeLink>
      </p>
      {isGone(draft.error) ? (
        <p className="empty" role="alert">
          {k("draft.gone")}
        </p>
      ) : (
        <QueryResult of={draft}>{(found) => <WithEntry of={found} />}</QueryResult>
      )}
    </>
  );
}

/** With the entry as it is today; null if there is none. */
function WithEntry({ of }: { of: TaggedDraft }): ReactNode {
  const entry = useQuery(entryQuery(of.data.path));
  const isMissing = isGone(entry.error);
  return <QueryResult of={{ data: isMissing ? { entry: null } : entry.data && { entry: entry.data }, error: entry.error, refetch: entry.refetch }}>{({ entry }) => <Shown of={of} entry={entry} />}</QueryResult>;
}

function Shown({ of, entry }: { of: TaggedDraft; entry: TaggedEntry | null }): ReactNode {
  const author = useAuthor();
  const question = useObservable(askedOfDraft);
  const draft = of.data;
  const [before, setBefore] = useState<Draft | null>(null);
  const isOpen = draft.status === "open";
  const canPublish = mayPublish(draft, entry);
  const close = () => askedOfDraft.set(null);
  const discard = async () => {
    try {
      await discardDraft(of);
      tell(k("draft.discarded"));
      go({ knowledge: "/drafts" });
      toHead();
    } catch (error) {
      if (!(await isTold(error))) throw error;
    }
  };
  /** If the draft is another one by now, or waits no longer, it is shown as it is, beside what was read. */
  const isTold = async (error: unknown): Promise<boolean> => {
    const isOther = error instanceof ApiError && (error.status === 412 || error.code === "INVALID_STATE" || error.status === 404);
    if (!isOther && movedTo(error) === null) return false;
    if (isOther) setBefore(draft);
    close();
    await Promise.all([draftsChanged(draft.draftId), queries.invalidateQueries({ queryKey: ["entry", draft.path] })]);
    toConflict();
    return true;
  };
  const publish = async (visibility: Visibility | undefined, key: string) => {
    try {
      await publishDraft(draft, visibility, key);
    } catch (error) {
      if (await isTold(error)) return;
      throw error;
    }
    close();
    tell(k("draft.published", { title: draftName(draft) }));
    if (draft.action === "delete") queries.removeQueries({ queryKey: ["entry", draft.path] });
    go({ knowledge: draft.action === "delete" ? "/drafts" : entryAt(draft.path) });
    toHead();
  };
  return (
    <>
      <h3 dir="auto">{draftName(draft)}</h3>
      <p className="entry-marks">
        <DraftMarks of={draft} />
        {entry ? <KnowledgeLink to={entryAt(draft.path)}>{draft.path}</KnowledgeLink> : <span className="folders">{draft.path}</span>}
      </p>
      <p className="hint">
        {k("draft.facts", { who: author(draft.createdBy), time: fullTime(draft.updatedAt) })}
        {draft.baseVersion !== null && ` · ${k("draft.base", { version: draft.baseVersion })}`}
      </p>
      {before && (before.version !== draft.version || before.status !== draft.status) && <DraftMoved before={before} now={draft} close={() => setBefore(null)} />}
      {isMoved(draft, entry) && <EntryMoved of={of} entry={entry} isTold={isTold} />}
      {isErased(draft) && <p className="told">{k("draft.erased")}</p>}
      <div className="acts">
        {canPublish && (
          <Button kind="primary" onPress={() => askedOfDraft.set("publish")}>
            {k("draft.publish")}
          </Button>
        )}
        {mayChange(draft) && draft.action !== "delete" && (
          <Button hint="e" onPress={() => go({ knowledge: draftEditAt(draft.draftId) })}>
            {k("draft.edit")}
          </Button>
        )}
        {mayChange(draft) && <Button onPress={() => askedOfDraft.set("discard")}>{k("draft.discard")}</Button>}
        <Button hint="h" onPress={() => go({ knowledge: historyAt(draft.path) })}>
          {k("history")}
        </Button>
      </div>
      {isOpen && !mayChange(draft) && <p className="hint">{k("draft.notYours")}</p>}
      <Change of={draft} entry={entry} />
      {question === "publish" && canPublish && <PublishSteps draft={draft} entry={entry} publish={publish} close={close} />}
      {question === "discard" && mayChange(draft) && <ConfirmDialog name="discard draft" title={k("draft.discardTitle")} text={k("draft.discardText")} actionLabel={k("draft.discard")} run={discard} close={close} />}
    </>
  );
}

/** The changes of a draft to the entry as it is; of a published one, to the entry as it was. */
function Change({ of: draft, entry }: { of: Draft; entry: TaggedEntry | null }): ReactNode {
  const isPublished = draft.status === "published";
  const was = useQuery({ ...versionQuery(draft.path, draft.baseVersion ?? 0), enabled: isPublished && draft.baseVersion !== null });
  const from: State | null = isPublished ? (was.data ?? null) : (entry?.data ?? null);
  if (isPublished && was.isEnabled && was.data === undefined) return <QueryResult of={was}>{() => null}</QueryResult>;
  const label = k(isPublished ? "draft.changed" : draft.action === "create" ? "draft.new" : draft.action === "delete" ? "draft.goes" : "draft.changes");
  return (
    <div className="part">
      <Differences label={label} from={draft.action === "create" ? null : from} to={draft.action === "delete" ? null : draft} />
    </div>
  );
}
