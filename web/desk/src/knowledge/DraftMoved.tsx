// A draft, or the entry that it changes, that is another one than was read: both are shown, and the person decides.

import { useState, type ReactNode } from "react";

import type { Draft } from "../api/client";
import { go } from "../place";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { fullTime } from "../ui/texts";
import { SideBySide, type Side } from "./Conflict";
import type { TaggedEntry } from "./data";
import { askedOfDraft, asEntry, changeDraft, discardDraft, mayChange, propose, type TaggedDraft } from "./draft";
import { afterDialog, toHead } from "./focus";
import { draftAt, historyAt, KnowledgeLink } from "./routes";
import { valuesOf } from "./saving";
import { k } from "./texts";

const sideOf = (name: string, { title, content, visibility, tags }: Pick<Draft, "title" | "content" | "visibility" | "tags">): Side => ({ name, title: title ?? "", content: content ?? "", visibility: visibility ?? "", tags });

/** Somebody wrote the draft, published or discarded it, while this person looked at it. */
export function DraftMoved({ before, now, close }: { before: Draft; now: Draft; close: () => void }): ReactNode {
  const isOpen = now.status === "open";
  return (
    <div className="told conflict" role="alert" tabIndex={-1}>
      <p>{k(`draft.moved.${now.status as "open"}`, { time: fullTime(now.updatedAt) })}</p>
      {isOpen && now.action !== "delete" && <SideBySide theirs={sideOf(k("draft.asRead"), before)} mine={sideOf(k("draft.asNow"), now)} />}
      <div className="acts">
        <Button
          kind="primary"
          onPress={() => {
            close();
            afterDialog(() => document.querySelector<HTMLElement>(".area-page > .acts .act"));
          }}
        >
          {k("draft.seen")}
        </Button>
      </div>
    </div>
  );
}

interface EntryMovedProps {
  of: TaggedDraft;
  entry: TaggedEntry | null;
  isTold: (error: unknown) => Promise<boolean>;
}

/** The entry is at another version than the draft was made from, is gone, or is there already. */
export function EntryMoved({ of, entry, isTold }: EntryMovedProps): ReactNode {
  const [key] = useState(() => crypto.randomUUID());
  const draft = of.data;
  const what = !entry ? "gone" : draft.action === "create" ? "there" : "changed";
  const canWrite = mayChange(draft);
  const guarded = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      if (!(await isTold(error))) tell(tellProblem(error), true);
    }
  };
  /** The draft is from now on one of the entry as it is. */
  const goOn = () =>
    guarded(async () => {
      await changeDraft(draft.draftId, of.tag, { baseVersion: entry?.data.version });
      if (hasRole("admin", "trainer")) askedOfDraft.set("publish");
    });
  /** A new entry in place of a change, or a change in place of a new entry. */
  const remake = () =>
    guarded(async () => {
      const origin = { gapId: draft.gapId, ...(entry ? { action: "update" as const, baseVersion: entry.data.version } : { action: "create" as const }) };
      const made = await propose(valuesOf(asEntry(of).data), origin, key);
      await discardDraft(of);
      go({ knowledge: draftAt(made.draftId) });
      toHead();
    });
  return (
    <div className="told conflict" role="alert" tabIndex={-1}>
      <p>
        {k(`draft.entry.${what}`, { version: entry?.data.version ?? 0, base: draft.baseVersion ?? 0 })} <KnowledgeLink to={historyAt(draft.path)}>{k("draft.whatChanged")}</KnowledgeLink>
      </p>
      {entry && draft.action !== "delete" && <SideBySide theirs={sideOf(k("draft.entryNow"), entry.data)} mine={sideOf(k("draft.proposed"), draft)} />}
      {canWrite && (
        <div className="acts">
          {what === "changed" && <Button onPress={() => void goOn()}>{k(draft.action === "delete" ? "draft.goOnDelete" : "draft.goOn")}</Button>}
          {what === "there" && <Button onPress={() => void remake()}>{k("draft.asChange")}</Button>}
          {what === "gone" && draft.action === "update" && <Button onPress={() => void remake()}>{k("draft.asNew")}</Button>}
        </div>
      )}
    </div>
  );
}
