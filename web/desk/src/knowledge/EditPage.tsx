// The pages on which an entry, or a proposal of one, is written.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Draft } from "../api/client";
import { go } from "../place";
import { isGone } from "../settings/data";
import { QueryResult } from "../settings/parts";
import { readEntry, type TaggedEntry } from "./data";
import { asEntry, readDraft } from "./draft";
import { Editor } from "./Editor";
import { k } from "./texts";
import { draftAt, entryAt, KnowledgeLink } from "./routes";
import { draftKey, unsavedOf, type Unsaved, type Values } from "./unsaved";

interface Props {
  /** The entry to change; null for a new one. */
  path: string | null;
  /** Under which a new one is kept while it is written. */
  id?: string;
  proposal?: Partial<Values>;
  /** The gap that it is to answer; without one, the questions that the entry answered. */
  gapId?: string;
  done?: (path: string) => void;
  cancel?: () => void;
}

interface Opened {
  entry: TaggedEntry | null;
  unsaved: Unsaved | null;
}

/** Reads the entry and what was written and not saved, once: news from elsewhere must not move the text under a hand. */
async function open(path: string | null, id: string): Promise<Opened> {
  const unsaved = await unsavedOf(id);
  if (!path) return { entry: null, unsaved };
  try {
    return { entry: await readEntry(path), unsaved };
  } catch (error) {
    // A text for an entry that is gone by now is not lost.
    if (isGone(error) && unsaved) return { entry: null, unsaved };
    throw error;
  }
}

export function EditPage({ path, id = path ?? "new:", proposal, gapId, done, cancel }: Props): ReactNode {
  const [round] = useState(() => crypto.randomUUID());
  const opened = useQuery({ queryKey: ["edit", id, round], gcTime: 0, queryFn: () => open(path, id) });
  const leave = cancel ?? (() => go({ knowledge: path ? entryAt(path) : "" }));
  return <QueryResult of={opened}>{({ entry, unsaved }) => <Editor id={id} entry={entry} unsaved={unsaved} proposal={proposal} gapId={gapId} done={done ?? ((to) => go({ knowledge: entryAt(to) }, true))} cancel={leave} />}</QueryResult>;
}

async function openDraft(draftId: string): Promise<Opened & { draft: Draft }> {
  const unsaved = await unsavedOf(draftKey(draftId));
  const found = await readDraft(draftId);
  const { status, action } = found.data;
  return { draft: found.data, entry: status === "open" && action !== "delete" ? asEntry(found) : null, unsaved };
}

/** The text of a draft. */
export function EditDraft({ draftId }: { draftId: string }): ReactNode {
  const [round] = useState(() => crypto.randomUUID());
  const opened = useQuery({ queryKey: ["edit", draftId, round], gcTime: 0, queryFn: () => openDraft(draftId) });
  const leave = () => go({ knowledge: draftAt(draftId) });
  return (
    <QueryResult of={opened}>
      {({ draft, entry, unsaved }) =>
        entry || unsaved ? (
          <Editor id={draftKey(draftId)} draft={draft} entry={entry} unsaved={unsaved} gapId={draft.gapId ?? undefined} done={leave} cancel={leave} />
        ) : (
          <p className="empty" role="alert">
            {k("draft.closed")} <KnowledgeLink to={draftAt(draftId)}>{k("draft.show")}</KnowledgeLink>
          </p>
        )
      }
    </QueryResult>
  );
}
