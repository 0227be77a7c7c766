// The place that the page shows: the view of the queue in the query, the conversation in the path. The knowledge has a query
// of its own.

import { createBrowserHistory } from "@tanstack/history";
import { useSyncExternalStore } from "react";

export const VIEWS = ["waiting", "mine", "snoozed", "everybody", "assistant", "resolved"] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  view: View;
  tag: string | null;
  escalationId: string | null;
  sessionId: string | null;
  /** The page of the settings that is shown in place of the inbox, such as `webhooks/ID`; empty for the first. */
  settings: string | null;
  /** The page of the knowledge that is shown in place of the inbox: what follows `/desk/knowledge`, such as `/entry?path=…`. */
  knowledge: string | null;
}

const browser = createBrowserHistory();
const BASE = "/desk/";
/** Kept over a visit to the knowledge. */
let lastView: View = "waiting";

function read(): Place {
  const { pathname, search } = browser.location;
  const query = new URLSearchParams(search);
  const isKnowledge = /^knowledge(\/|$)/.test(pathname.slice(BASE.length));
  if (!isKnowledge) lastView = VIEWS.find((one) => one === query.get("view")) ?? "waiting";
  const [kind, id, item] = pathname.slice(BASE.length).split("/");
  const isName = (part: string | undefined) => !!part && /^[\w-]{1,100}$/.test(part);
  const found = isName(id) ? (id ?? null) : null;
  return {
    view: lastView,
    tag: isKnowledge ? null : query.get("tag"),
    escalationId: kind === "inbox" ? found : null,
    sessionId: kind === "sessions" ? found : null,
    settings: kind === "settings" ? (found ?? "") + (found && isName(item) ? `/${item}` : "") : null,
    knowledge: isKnowledge ? pathname.slice(`${BASE}knowledge`.length) + search : null,
  };
}

let now = read();
browser.subscribe(() => (now = read()));

export const here = (): Place => now;

export function usePlace(): Place {
  return useSyncExternalStore(browser.subscribe, here);
}

/** One thing about the place, a string or the like: who follows it is drawn again when it changes alone. */
export function usePlaceOf<T extends string | boolean | null>(choose: (place: Place) => T): T {
  return useSyncExternalStore(browser.subscribe, () => choose(now));
}

/** The address of a place, as it stands in the address bar. */
export function address(to: Partial<Place>): string {
  const place = { view: now.view, tag: now.tag, escalationId: null, sessionId: null, settings: null, knowledge: null, ...to };
  if (place.knowledge !== null) return `${BASE}knowledge${place.knowledge}`;
  const query = new URLSearchParams();
  if (place.view !== "waiting") query.set("view", place.view);
  if (place.tag) query.set("tag", place.tag);
  const path =
    place.settings !== null
      ? `settings/${place.settings}`
      : place.escalationId
        ? `inbox/${place.escalationId}`
        : place.sessionId
          ? `sessions/${place.sessionId}`
          : "";
  const search = query.toString();
  return BASE + path + (search && `?${search}`);
}

export function go(to: Partial<Place>, replace = false): void {
  const target = address(to);
  if (target === browser.location.href) return;
  if (replace) browser.replace(target);
  else browser.push(target);
  browser.flush();
}

let isFree = false;

/** The next page that the tab loads is not asked about. */
export function leaveFreely(): void {
  isFree = true;
}

/**
 * Holds the page where it is, unless `mayLeave` says that it may be left. `beforeUnload`: the browser asks too, before
 * the tab is left. Gives the function that lets go.
 */
export function hold(mayLeave: () => boolean | Promise<boolean>, beforeUnload = true): () => void {
  return browser.block({ blockerFn: async () => !(await mayLeave()), enableBeforeUnload: () => beforeUnload && !isFree });
}
