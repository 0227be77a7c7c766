// The unsent texts of a person, one draft a conversation. They survive a reload, a crash and the end of the sign-in:
// each change is kept, encrypted, a moment later.

import { Observable } from "../store/observable";
import { owner } from "../store/owner";
import { drop, keep, kept } from "../store/vault";

export interface Draft {
  sessionId: string;
  kind: "reply" | "note";
  reply: string;
  note: string;
}

const WAIT_MS = 150;
const drafts = new Map<string, Observable<Draft>>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** Raised when a draft comes or goes, for those that mark conversations with one. */
export const drafted = new Observable<ReadonlySet<string>>(new Set());

const idOf = (sessionId: string) => `draft:${owner()}:${sessionId}`;
const isEmpty = (draft: Draft) => !draft.reply && !draft.note;

export function draftOf(sessionId: string): Observable<Draft> {
  let found = drafts.get(sessionId);
  if (!found) {
    drafts.set(sessionId, (found = new Observable<Draft>({ sessionId, kind: "reply", reply: "", note: "" })));
  }
  return found;
}

/** Reads all drafts of this person, once after signing in. */
export async function loadDrafts(): Promise<void> {
  for (const draft of await kept<Draft>(`draft:${owner()}:`)) {
    const current = draftOf(draft.sessionId);
    // A text typed since then is newer.
    if (isEmpty(current.get())) current.set(draft);
  }
  mark();
}

function mark(): void {
  const now = new Set([...drafts.values()].map((one) => one.get()).filter((one) => !isEmpty(one)).map((one) => one.sessionId));
  const before = drafted.get();
  if (now.size !== before.size || [...now].some((id) => !before.has(id))) drafted.set(now);
}

export function write(sessionId: string, change: Partial<Omit<Draft, "sessionId">>): void {
  const draft = draftOf(sessionId);
  draft.set({ ...draft.get(), ...change });
  mark();
  clearTimeout(timers.get(sessionId));
  timers.set(sessionId, setTimeout(() => void save(sessionId), WAIT_MS));
}

async function save(sessionId: string): Promise<void> {
  clearTimeout(timers.get(sessionId));
  timers.delete(sessionId);
  const draft = draftOf(sessionId).get();
  await (isEmpty(draft) ? drop(idOf(sessionId)) : keep(idOf(sessionId), draft));
}

/** Keeps at once what waits to be kept. */
export function saveAll(): Promise<unknown> {
  return Promise.all([...timers.keys()].map(save));
}
