// What is kept of a visitor between pages, shared by the tabs of one site: the token, the session, unsent messages.
// Nothing is written before the visitor opens the chat. Where storage is refused, it is kept in memory.

import type { Pending } from "./types";

export interface Saved {
  token?: string;
  /** When the token ends, milliseconds since 1970 of this machine. */
  until?: number;
  externalUserId?: string;
  greeting?: string | null;
  sourceUrlTemplate?: string | null;
  sessionId?: string | null;
  outbox?: Pending[];
  /** The number of the newest turn that the visitor has seen. */
  seen?: number;
  unread?: number;
  /** The `Idempotency-Key` of a session that is being made. */
  opening?: string;
  /** Something is to come: a person, or an answer. */
  live?: boolean;
}

/** Storage may be refused, also in the middle. */
export function quietly<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}

export class Storage {
  readonly #key: string;
  #memory: string | null = null;

  constructor(key: string) {
    this.#key = key;
  }

  read(): Saved {
    const text = quietly(() => localStorage.getItem(this.#key)) ?? this.#memory;
    return quietly(() => JSON.parse(text!)) ?? {};
  }

  /** Changes some fields; read anew, because another tab may have written. */
  update(change: Saved): void {
    const text = (this.#memory = JSON.stringify({ ...this.read(), ...change }));
    quietly(() => {
      localStorage.setItem(this.#key, text);
      this.#memory = null;
    });
  }

  clear(): void {
    this.#memory = null;
    quietly(() => localStorage.removeItem(this.#key));
  }
}
