// Requests in the visitor's name: with a token, which is replaced when it ends, and about a session, which is made or
// resumed where there is none that goes on.

import { ApiError, send } from "./api";
import type { Storage } from "./storage";
import type { Turns } from "./turns";
import type { ClientOptions } from "./types";

/** Tokens are replaced this long before they end. */
const TOKEN_MARGIN_MS = 20_000;
/** A request whose session is gone again and again is given up. */
const MAX_SESSIONS = 3;

export class Client {
  /** The stored token is known to be of the visitor who is here. */
  isTrusted = false;
  readonly #options: ClientOptions;
  readonly #storage: Storage;
  readonly #turns: Turns;
  readonly #foreign: () => void;
  #life = new AbortController();
  #renewal: Promise<void> | null = null;

  /** `foreign` is called where a token is somebody else's than what is stored. */
  constructor(options: ClientOptions, storage: Storage, turns: Turns, foreign: () => void) {
    this.#options = options;
    this.#storage = storage;
    this.#turns = turns;
    this.#foreign = foreign;
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** What runs ends without effect, and the stored token is not trusted. */
  abort(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.isTrusted = false;
  }

  async call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<any> {
    const signal = this.signal;
    for (let refused: string | undefined; ;) {
      const token = await this.token(refused);
      signal.throwIfAborted();
      try {
        const authorization = `Bearer ${token}`;
        const request = { body, headers: { authorization, ...headers }, signal };
        const told = await send(method, this.#options.api + path, request);
        signal.throwIfAborted();
        return told;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401 || refused) throw error;
        refused = token;
      }
    }
  }

  /** A token that has not ended and is not the one that was `refused`. */
  async token(refused?: string): Promise<string> {
    const good = () => {
      const { token, until = 0 } = this.#storage.read();
      return this.isTrusted && token !== refused && until - TOKEN_MARGIN_MS > Date.now() ? token : null;
    };
    if (!good()) {
      this.#renewal ??= this.#renew().finally(() => (this.#renewal = null));
      await this.#renewal;
    }
    const { token } = this.#storage.read();
    if (!token || token === refused) throw new ApiError(401, "TOKEN_REFUSED");
    return token;
  }

  async #renew(): Promise<void> {
    const signal = this.signal;
    const told = await this.#options.getToken(signal);
    signal.throwIfAborted();
    if (typeof told?.token !== "string" || typeof told.externalUserId !== "string") throw new ApiError(0, "NO_TOKEN");
    if ((this.#storage.read().externalUserId ?? told.externalUserId) !== told.externalUserId) this.#foreign();
    this.isTrusted = true;
    this.#storage.update({
      token: told.token,
      until: Date.now() + (told.expiresIn || 900) * 1_000,
      externalUserId: told.externalUserId,
      greeting: told.texts?.greeting ?? null,
      sourceUrlTemplate: told.sourceUrlTemplate ?? null,
      sessionId: this.#storage.read().sessionId ?? told.latestSessionId ?? null,
    });
  }

  /** Calls with the id of an open session. */
  async inSession<T>(request: (id: string) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await exclusively(`${this.#options.api}:session`, () => this.#openSession());
      const id = this.#storage.read().sessionId!;
      try {
        return await request(id);
      } catch (error) {
        if (!(error instanceof ApiError) || attempt > MAX_SESSIONS) throw error;
        if (error.code === "SESSION_CLOSED") await this.#resume(id);
        else if (error.status === 404) this.leaveSession();
        else throw error;
      }
    }
  }

  async #openSession(): Promise<void> {
    const { sessionId, opening = randomId() } = this.#storage.read();
    if (sessionId) return;
    // The key is kept until the reply has come: a lost reply makes no second session.
    this.#storage.update({ opening });
    const { locale } = this.#options;
    const made = await this.call("POST", "/sessions", { locale }, { "idempotency-key": opening });
    this.#storage.update({ sessionId: made.sessionId, opening: undefined });
    this.#turns.session = made;
  }

  async #resume(sessionId: string): Promise<void> {
    try {
      await this.call("POST", "/sessions/resume", { sessionId });
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 410 && error.status !== 404)) throw error;
      this.leaveSession();
    }
  }

  /** The session is gone, or can go on no longer. */
  leaveSession(): void {
    this.#storage.update({ sessionId: null, live: false, seen: 0 });
    this.#turns.forget();
  }
}

/** Runs `action` in one tab at a time. */
export async function exclusively(name: string, action: () => Promise<void>): Promise<void> {
  await (navigator.locks ? navigator.locks.request(`support-chat:${name}`, action) : action());
}

/** 128 random bits. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
