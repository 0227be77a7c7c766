// Saves a text as an entry, a new draft, or a change of a draft.

import { api, ApiError, withDetails, type Draft, type Entry, type Visibility } from "../api/client";
import { isGone } from "../settings/data";
import { changeEntry, entryChanged, pathTaken, readEntry, withForms, type TaggedEntry } from "./data";
import { changeDraft, openDraft, propose } from "./draft";
import type { Change } from "./DryRunPreview";
import { tagsOf } from "./names";
import type { FromDraft, Values } from "./unsaved";

export const EMPTY: Values = { path: "", title: "", content: "", visibility: "internal", tags: "" };
export const FIELDS = ["path", "title", "content", "tags", "visibility"] as const;

export const valuesOf = ({ path, title, content, visibility, tags }: Entry): Values => ({ path, title, content, visibility, tags: tags.join(", ") });

export const isSame = (a: Values, b: Values): boolean => FIELDS.every((field) => (field === "tags" ? tagsOf(a.tags).join() === tagsOf(b.tags).join() : a[field] === b[field]));

/** The fields that differ from what the change was made from. */
function changedFields(from: Entry, to: Values) {
  const tags = tagsOf(to.tags);
  return {
    ...(to.title.trim() !== from.title && { title: to.title.trim() }),
    ...(to.content !== from.content && { content: to.content }),
    ...(to.visibility !== from.visibility && { visibility: to.visibility as Visibility }),
    ...(tags.join() !== from.tags.join() && { tags }),
  };
}

/** The change that is tried on questions; null if there is nothing to try. A draft is tried as a whole. */
export function proposed(base: TaggedEntry | null, values: Values, draft?: Draft): Change | null {
  const { path, content } = values;
  const whole = { path, title: values.title.trim(), content, visibility: values.visibility as Visibility };
  if (!path || !whole.title || !content.trim()) return null;
  if (draft) return { ...whole, action: draft.action as "update" };
  if (!base) return { ...whole, action: "create" };
  const { tags: _, ...change } = changedFields(base.data, values);
  return Object.keys(change).length ? { path, ...change } : null;
}

interface Saved {
  values: Values;
  /** The entry that the change is made from; null if there is nothing of it, or not any more. */
  base: TaggedEntry | null;
  draft: Draft | undefined;
  /** The draft that the text of a new entry began from. */
  from: FromDraft | undefined;
  isDraft: boolean;
  gapId: string | undefined;
  key: string;
  /** The refusal that is known already. */
  refused: ApiError | null;
}

/** Saves what was written. Gives the draft, if one was made. */
export async function saved({ values, base, draft, from, isDraft, gapId, key, refused }: Saved): Promise<Draft | null> {
  if (refused) throw await asSaving(refused);
  if (draft && base) {
    await writeDraft({ draftId: draft.draftId, read: base }, values);
    return null;
  }
  if (isDraft && from) {
    await writeDraft(from, values);
    return null;
  }
  if (isDraft) {
    // Of a draft that waits no longer, a new one with the same purpose.
    const origin = draft ?? { action: base ? ("update" as const) : ("create" as const), baseVersion: base?.data.version, gapId };
    const [action, baseVersion] = [origin.action as "update", origin.baseVersion ?? undefined];
    return propose(values, { action, baseVersion, gapId: origin.gapId ?? undefined }, key);
  }
  await (base ? changeEntry(values.path, base.tag, changedFields(base.data, values)) : create(values, key));
  return null;
}

async function writeDraft({ draftId, read }: FromDraft, values: Values): Promise<void> {
  const path = values.path.trim();
  const change = { ...changedFields(read.data, values), ...(path !== read.data.path && { path }) };
  if (Object.keys(change).length) await changeDraft(draftId, read.tag, change);
}

/** The refusal of a dry run, as saving would have said it. */
async function asSaving(refused: ApiError): Promise<unknown> {
  if (refused.status === 409) return pathTaken(refused);
  const named = withDetails(refused, refused.details.map((one) => ({ ...one, field: one.field?.replace(/^changes\[\d+\]\.?/, "") })));
  return withForms(Promise.reject(named)).catch((error: unknown) => error);
}

async function create({ path, title, content, visibility, tags }: Values, key: string): Promise<void> {
  const body = { path: path.trim(), title: title.trim(), content, visibility: visibility as Visibility, tags: tagsOf(tags) };
  try {
    await withForms(api.createEntry({ body }, { idempotencyKey: key }));
  } catch (error) {
    throw error instanceof ApiError && error.status === 409 && error.code === "CONFLICT" ? pathTaken(error) : error;
  }
  await entryChanged(body.path);
}

/** The entry, or the draft, as somebody else left it; null if it is gone. */
export async function theirsOf(path: string, draftId?: string): Promise<TaggedEntry | null> {
  if (draftId) return openDraft(draftId);
  try {
    return await readEntry(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
