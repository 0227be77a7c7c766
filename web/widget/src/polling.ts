// When to ask for news: the one rule, and the one tab of a visitor that asks.

import type { Session } from "./types";

const FAST_MS = 2_000;
const SLOW_MS = 15_000;
const HIDDEN_MS = 30_000;

/** Whether something is to come that the visitor did not cause: a person's message, a person, or an answer. */
export function isLive(session: Session | null): boolean {
  return !!session && (session.answerDue || session.ownership === "human" || session.ownership === "pending_handover");
}

/** The time until the next request, in milliseconds, after `quiet` requests in a row that brought nothing new. */
export function interval(session: Session, quiet: number, hidden: boolean, isOpen: boolean): number {
  if (hidden) return HIDDEN_MS;
  if (!isOpen) return SLOW_MS;
  const growing = session.ownership === "pending_handover" && !session.answerDue;
  return growing ? Math.min(FAST_MS * 1.5 ** quiet, SLOW_MS) : FAST_MS;
}

/** Holds a lock of the browser while this tab is the one that polls. */
export class Leader {
  readonly #name: string;
  readonly #start: () => void;
  #release: (() => void) | null = null;
  #waiting: AbortController | null = null;

  constructor(name: string, start: () => void) {
    this.#name = name;
    this.#start = start;
  }

  get leads(): boolean {
    return !!this.#release;
  }

  /** Queues for the lead; `start` is called when this tab has it. */
  seek(): void {
    if (this.#release || this.#waiting) return;
    const waiting = (this.#waiting = new AbortController());
    const lead = () => {
      if (this.#waiting !== waiting) return;
      this.#waiting = null;
      return new Promise<void>((release) => {
        this.#release = release;
        this.#start();
      });
    };
    if (navigator.locks) {
      navigator.locks.request(this.#name, { signal: waiting.signal }, lead).catch(() => {});
    } else {
      lead();
    }
  }

  /** Gives the lead, or the place in the queue for it, to another tab. */
  leave(): void {
    this.#waiting?.abort();
    this.#waiting = null;
    this.#release?.();
    this.#release = null;
  }
}
