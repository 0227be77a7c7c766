// The storage of a visitor between pages, shared by the tabs of one site: the token, the session, unsent messages.
// Nothing is written before the visitor opens the chat. If storage is refused, it is kept in memory.

import type { Appearance, Pending, Presence } from "./types";

export interface Saved extends Presence {
  token?: string;
  /** When the token ends, milliseconds since 1970 of this machine. */
  until?: number;
  externalUserId?: string;
  greeting?: string | null;
  sourceUrlTemplate?: string | null;
  /** Whether images of entries are loaded. */
  showsImages?: boolean;
  suggestions?: string[];
  appearance?: Appearance | null;
  sessionId?: string | null;
  /** The number of the newest turn that the visitor has seen. */
  seen?: number;
  unread?: number;
  /** The `Idempotency-Key` of a session that is being made. */
  opening?: string;
  /** A person is to be asked for, for this reason; the service does not know yet. */
  asking?: string;
  /** The human part that was rated, by its first turn. */
  rated?: string;
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
  /** The values that the browser refuses to keep. */
  readonly #memory = new Map<string, string>();

  constructor(key: string) {
    this.#key = key;
  }

  read(): Saved {
    return this.#get(this.#key) ?? {};
  }

  /** Changes some fields; read anew, because another tab may have written. */
  update(change: Saved): void {
    this.#set(this.#key, { ...this.read(), ...change });
  }

  /** The unsent messages, the oldest first. Each has a key of its own, so that no tab overwrites what another writes. */
  get outbox(): Pending[] {
    const keys = [...(quietly(() => Object.keys(localStorage)) ?? []), ...this.#memory.keys()];
    const unsent = new Set(keys.filter((key) => key.startsWith(this.#unsentKey(""))));
    const all = [...unsent].flatMap((key): Pending[] => this.#get(key) ?? []);
    return all.sort((one, other) => one.at - other.at);
  }

  /** Keeps an unsent message as it is now. */
  keep(unsent: Pending): void {
    this.#set(this.#unsentKey(unsent.id), unsent);
  }

  drop(id: string): void {
    const key = this.#unsentKey(id);
    this.#memory.delete(key);
    quietly(() => localStorage.removeItem(key));
  }

  /** The text that is written and not sent, in this tab alone. */
  get draft(): string {
    return this.#memory.get(this.#draftKey) ?? quietly(() => sessionStorage.getItem(this.#draftKey)) ?? "";
  }

  set draft(text: string) {
    if (text === this.draft) return;
    this.#memory.set(this.#draftKey, text);
    quietly(() => {
      if (text) sessionStorage.setItem(this.#draftKey, text);
      else sessionStorage.removeItem(this.#draftKey);
      this.#memory.delete(this.#draftKey);
    });
  }

  get #draftKey(): string {
    return `${this.#key}:draft`;
  }

  /** Forgets everything. */
  clear(): void {
    for (const { id } of this.outbox) this.drop(id);
    quietly(() => localStorage.removeItem(this.#key));
    this.forget();
  }

  /** Forgets what this tab alone keeps. */
  forget(): void {
    this.draft = "";
    this.#memory.clear();
  }

  #unsentKey(id: string): string {
    return `${this.#key}#${id}`;
  }

  #get(key: string): any {
    return quietly(() => JSON.parse((this.#memory.get(key) ?? localStorage.getItem(key))!));
  }

  #set(key: string, value: object): void {
    const text = JSON.stringify(value);
    this.#memory.set(key, text);
    quietly(() => {
      localStorage.setItem(key, text);
      this.#memory.delete(key);
    });
  }
}
