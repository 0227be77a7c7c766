// From a draft to the wiki: the sheet, and if that changes who may read the entry, a question of its own.

import { useState, type ReactNode } from "react";

import type { Draft, Visibility } from "../api/client";
import { straight } from "../ui/texts";
import { ConfirmVisibilityDialog } from "./ConfirmVisibilityDialog";
import type { TaggedEntry } from "./data";
import { draftName } from "./Drafts";
import { isAnswered, type Change } from "./DryRunPreview";
import { HeldBack } from "./HeldBack";
import { questionsFor, SaveSheet } from "./SaveSheet";
import { k } from "./texts";

interface Props {
  draft: Draft;
  entry: TaggedEntry | null;
  publish: (visibility: Visibility | undefined, key: string) => Promise<void>;
  close: () => void;
}

/** The change that a dry run tries for a draft. */
function changeOf({ path, action, title, content, visibility }: Draft, opens: boolean): Change {
  if (action === "delete") return { path, action: "delete" };
  const named = opens || action === "create" ? { visibility: visibility as Visibility } : {};
  return { path, action: action as "update", title, content, ...named };
}

export function PublishSteps({ draft, entry, publish, close }: Props): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const opens = draft.visibility !== null && draft.visibility !== (entry?.data.visibility ?? "internal");
  const to = (draft.visibility ?? "internal") as Visibility;
  if (isAsked) return <ConfirmVisibilityDialog to={to} run={(key) => publish(to, key)} close={close} />;
  const change = changeOf(draft, opens);
  const text = draft.action === "delete" ? k("delete.text", { title: straight(entry?.data.title ?? draft.path) }) : k("draft.publishText", { title: draftName(draft) });
  const isInternal = draft.action !== "delete" && (draft.visibility ?? entry?.data.visibility ?? "internal") === "internal";
  return (
    <SaveSheet
      of="publish"
      change={change}
      questions={draft.gapId ? { gapId: draft.gapId } : questionsFor(change)}
      lead={<p>{text}</p>}
      held={isInternal ? ({ items, ...tried }) => <HeldBack of="change" {...tried} answers={items.filter(isAnswered).length} /> : null}
      run={(key) => (opens ? setAsked(true) : publish(undefined, key))}
      close={close}
    />
  );
}
