// Entries that a person has begun to write and not saved. They survive a reload, a crash and the end of the sign-in: each
// change is kept, encrypted, a moment later, with what it was made from.

import { owner } from "../store/owner";
import { drop, keep, kept } from "../store/vault";
import type { TaggedEntry } from "./data";

export interface Values {
  path: string;
  title: string;
  content: string;
  visibility: string;
  /** With commas between them. */
  tags: string;
}

export interface Unsaved {
  /** The entry's path, the draft, or what the new entry is for. */
  id: string;
  values: Values;
  /** The entry as it was when the change began; null for a new one. */
  base: TaggedEntry | null;
  at: string;
  /** These are a draft's texts, which nobody has changed yet. */
  isDraft?: boolean;
  /** The draft that its text began from, which goes when it is an entry. */
  from?: FromDraft;
}

export interface FromDraft {
  draftId: string;
  /** The draft as it was read. */
  read: TaggedEntry;
}

/** Under which the text of a draft is kept while it is written. */
export const draftKey = (draftId: string): string => `draft:${draftId}`;
/** The draft whose text is kept under this; null if it is no draft's. */
export const draftOf = (id: string): string | null => /^draft:(.+)$/.exec(id)?.[1] ?? null;

const WAIT_MS = 300;
const prefix = () => `entry:${owner()}:`;
const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; one: Unsaved }>();

export const unsavedAll = (): Promise<Unsaved[]> => flush().then(() => kept<Unsaved>(prefix()));
export const unsavedOf = async (id: string): Promise<Unsaved | null> => (await unsavedAll()).find((one) => one.id === id) ?? null;

export function keepUnsaved(one: Unsaved): void {
  clearTimeout(waiting.get(one.id)?.timer);
  waiting.set(one.id, { one, timer: setTimeout(() => void save(one.id), WAIT_MS) });
}

async function save(id: string): Promise<void> {
  const found = waiting.get(id);
  if (!found) return;
  clearTimeout(found.timer);
  waiting.delete(id);
  await keep(prefix() + id, found.one);
}

export async function forgetUnsaved(id: string): Promise<void> {
  clearTimeout(waiting.get(id)?.timer);
  waiting.delete(id);
  await drop(prefix() + id);
}

/** Keeps at once what waits to be kept. */
export async function flush(): Promise<void> {
  await Promise.all([...waiting.keys()].map(save));
}
