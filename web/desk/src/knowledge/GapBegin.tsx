// What an answer begins from: a draft that waits, or a new one of what colleagues wrote.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, call } from "../api/client";
import { go } from "../place";
import { reload } from "../settings/data";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Act } from "../ui/parts";
import { fullTime } from "../ui/texts";
import { useAuthor } from "./authors";
import { mayChange, type Draft } from "./draft";
import { gapQuery, openDraftsQuery } from "./gaps";
import { k } from "./texts";
import { keepUnsaved, unsavedOf } from "./unsaved";
import { draftAt, draftEditAt, KnowledgeLink } from "./where";

interface BeginProps {
  id: string;
  isGone: boolean;
  begun: Draft | null;
  begin: (draft: Draft) => void;
}

/** Puts a draft into the editor: one that waits, or a new one of what colleagues wrote. What was written stays above it. */
export function Begin({ id, isGone, begun, begin }: BeginProps): ReactNode {
  const gap = useQuery(gapQuery(id));
  const drafts = useQuery(openDraftsQuery);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const author = useAuthor();
  // One whose words went with a session that was erased begins nothing.
  const waiting = drafts.data?.find((one) => one.gapId === id && one.content);
  const byHand = gap.data?.resolutions.length ?? 0;
  if (begun || (!waiting && (isGone || !byHand))) return null;
  const run = async () => {
    setBusy(true);
    try {
      const draft = waiting ?? (await call(api.POST("/analytics/kb-gaps/{id}/draft", { params: { path: { id }, header: { "Idempotency-Key": key } } })));
      if (!waiting) void reload("drafts");
      // Who proposes writes the draft itself.
      if (!hasRole("admin", "trainer")) return go({ knowledge: mayChange(draft) ? draftEditAt(draft.draftId) : draftAt(draft.draftId) });
      const isBelow = await putIn(draft, `gap:${id}`);
      begin(draft);
      if (isBelow) tell(k("gaps.begunBelow"));
    } catch (error) {
      tell(tellProblem(error), true);
      setBusy(false);
    }
    return undefined;
  };
  return (
    <div className="told ask">
      {waiting ? (
        <p>
          {k("gaps.draftWaits", { time: fullTime(waiting.updatedAt), name: author(waiting.createdBy) })} <KnowledgeLink to={draftAt(waiting.draftId)}>{k("draft.show")}</KnowledgeLink>
        </p>
      ) : (
        <p>{k("gaps.byHandHint")}</p>
      )}
      <Act kind="primary" isDisabled={isBusy} onPress={() => void run()}>
        {k(waiting ? "gaps.beginDraft" : "gaps.beginByHand")}
      </Act>
    </div>
  );
}

/** Keeps a draft's texts as what this person has begun; below what they wrote already. Says whether they had. */
async function putIn(draft: Draft, id: string): Promise<boolean> {
  const before = await unsavedOf(id);
  const fresh = { path: draft.path, title: draft.title ?? "", content: draft.content ?? "", visibility: draft.visibility ?? "internal", tags: draft.tags.join(", ") };
  const values = before ? { ...before.values, content: `${before.values.content.trim()}\n\n${fresh.content}`.trim() } : fresh;
  keepUnsaved({ id, values, base: before?.base ?? null, at: new Date().toISOString(), isDraft: !before });
  return !!before;
}

/** A draft whose texts are an entry now goes. That it stays, where this fails, harms nothing. */
export async function dropUsed(draft: Draft): Promise<void> {
  await call(api.DELETE("/drafts/{id}", { params: { path: { id: draft.draftId } } })).catch(() => {});
  await reload("drafts");
}
