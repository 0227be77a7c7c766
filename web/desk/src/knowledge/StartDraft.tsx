// The start of an answer: a draft that waits, or a new one of what colleagues wrote.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, type Draft } from "../api/client";
import { go } from "../place";
import { reload } from "../settings/data";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { fullTime } from "../ui/texts";
import { useAuthor } from "./authors";
import { asEntry, draftsChanged, isErased, mayChange, readDraft, waitingQuery, type TaggedDraft } from "./draft";
import { gapQuery } from "./gaps";
import { draftAt, draftEditAt, KnowledgeLink } from "./routes";
import { valuesOf } from "./saving";
import { k } from "./texts";
import { keepUnsaved, unsavedOf } from "./unsaved";

interface StartDraftProps {
  id: string;
  isGone: boolean;
  hasBegun: boolean;
  begin: (draftId: string) => void;
}

/** Puts a draft into the editor: one that waits, or a new one of what colleagues wrote. What was written stays above it. */
export function StartDraft({ id, isGone, hasBegun, begin }: StartDraftProps): ReactNode {
  const gap = useQuery(gapQuery(id));
  const drafts = useQuery(waitingQuery);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const author = useAuthor();
  // One whose words went with a session that was erased begins nothing.
  const ofGap = drafts.data?.items.filter((one) => one.gapId === id && !isErased(one)) ?? [];
  const waiting = ofGap.find(isNewEntry);
  // A change of an entry is published where it is: here a new one is written.
  const shown = waiting ?? ofGap[0];
  const byHand = gap.data?.resolutions.length ?? 0;
  const mayBegin = waiting || (byHand && !isGone);
  if (hasBegun || !(shown || mayBegin)) return null;
  const run = async () => {
    setBusy(true);
    try {
      const { draftId } = waiting ?? (await api.draftGap({ id }, { idempotencyKey: key }));
      if (!waiting) void reload("drafts");
      // As it is now: the list may be a minute old.
      const draft = await readDraft(draftId);
      if (!isNewEntry(draft.data) || draft.data.status !== "open") {
        await draftsChanged(draftId);
        tell(k("draft.closed"), true);
        return setBusy(false);
      }
      // A proposer writes the draft itself.
      if (!hasRole("admin", "trainer")) return go({ knowledge: mayChange(draft.data) ? draftEditAt(draftId) : draftAt(draftId) });
      const isBelow = await putIn(draft, `gap:${id}`, !waiting);
      begin(draftId);
      if (isBelow) tell(k("gaps.begunBelow"));
    } catch (error) {
      tell(tellProblem(error), true);
      setBusy(false);
    }
    return undefined;
  };
  return (
    <div className="told ask">
      {shown && (
        <p>
          {k("gaps.draftWaits", { time: fullTime(shown.updatedAt), name: author(shown.createdBy) })} <KnowledgeLink to={draftAt(shown.draftId)}>{k("draft.show")}</KnowledgeLink>
        </p>
      )}
      {!waiting && mayBegin && <p>{k("gaps.byHandHint")}</p>}
      {mayBegin && (
        <Button kind="primary" isDisabled={isBusy} onPress={() => void run()}>
          {k(waiting ? "gaps.beginDraft" : "gaps.beginByHand")}
        </Button>
      )}
    </div>
  );
}

const isNewEntry = ({ action, content }: Draft): boolean => action === "create" && !!content;

/**
 * Keeps a draft's texts as what this person has begun; below what they wrote already. Says whether they had. Of one that was
 * made a moment ago nobody has decided who may read it: it is proposed as the answer to customers that it is.
 */
async function putIn(draft: TaggedDraft, id: string, isFresh: boolean): Promise<boolean> {
  const before = await unsavedOf(id);
  const read = asEntry(draft);
  const fresh = isFresh ? { ...valuesOf(read.data), visibility: "public" } : valuesOf(read.data);
  const values = before ? { ...before.values, content: `${before.values.content.trim()}\n\n${fresh.content}`.trim() } : fresh;
  keepUnsaved({ id, values, base: before?.base ?? null, at: new Date().toISOString(), isDraft: !before, from: { draftId: draft.data.draftId, read } });
  return !!before;
}
