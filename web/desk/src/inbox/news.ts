// Asks for news by one timer: the list that is shown and the conversation that is open. If the list changed, the
// others that the page counts are asked for, too.

import { ApiError, isUnreached } from "../api/client";
import { here } from "../place";
import { signIn, renewToken } from "../signin/session";
import { Observable } from "../store/observable";
import { answersOfLists, caseKey, listKey, queries } from "./data";

const OPEN_MS = 2_000;
const IDLE_MS = 5_000;
const HIDDEN_MS = 15_000;
/** After this long without an answer the page says that it is offline. */
const SLOWEST_MS = 30_000;

/** Whether the service answers. */
export const isOnline = new Observable<boolean>(true);

let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

function pauseMs(): number {
  const { escalationId, sessionId } = here();
  const usual = document.hidden ? HIDDEN_MS : escalationId || sessionId ? OPEN_MS : IDLE_MS;
  return failures ? Math.min(SLOWEST_MS, Math.max(usual, 1_000 * 2 ** failures)) : usual;
}

const later = () => {
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), pauseMs());
};

/** Asks now, whatever the timer says. */
export async function ask(): Promise<void> {
  clearTimeout(timer);
  const { state, hasEnded } = signIn.get();
  if (state === "in" && !hasEnded) await askOnce();
  later();
}

async function askOnce(): Promise<void> {
  const { view, tag, escalationId, sessionId } = here();
  const shown = listKey(view, tag);
  const before = answersOfLists();
  const open = escalationId ?? sessionId;
  const asked = [refetch(shown), ...(open ? [refetch(caseKey(open))] : [])];
  const errors = (await Promise.all(asked)).filter((error) => error !== null);
  if (answersOfLists() !== before || view === "assistant") {
    const others = [listKey("waiting", null), listKey("mine", null)].filter((key) => key.join() !== shown.join());
    errors.push(...(await Promise.all(others.map(refetch))).filter((error) => error !== null));
  }
  const isDown = errors.some((error) => isUnreached(error) || (error instanceof ApiError && error.status >= 500));
  failures = isDown ? failures + 1 : 0;
  isOnline.set(!isDown);
}

async function refetch(key: readonly unknown[]): Promise<Error | null> {
  const query = queries.getQueryCache().find({ queryKey: key, exact: true });
  if (!query || !query.isActive()) return null;
  try {
    // A read that began before this call may be older than what was just done.
    await query.fetch(undefined, { cancelRefetch: true } as never);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Begins to ask, and asks at once when the page is looked at again or the connection is back. */
export function followNews(): () => void {
  const now = () => void ask();
  const seen = () => {
    // Somebody may have signed in again in another tab.
    if (!document.hidden && signIn.get().hasEnded) void renewToken().then((token) => token && now());
    else if (!document.hidden) now();
    else later();
  };
  const gone = () => isOnline.set(false);
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", now);
  addEventListener("offline", gone);
  later();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", now);
    removeEventListener("offline", gone);
  };
}
