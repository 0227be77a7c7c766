// Requests in the visitor's name: with a token, which is replaced when it ends, and about a session, which is made or
// resumed if there is none that goes on.

import { ApiError, isRefusal, send } from "./api";
import { presenceIn } from "./presence";
import type { Storage } from "./storage";
import type { Turns } from "./turns";
import type { ClientOptions } from "./types";

/** Tokens are replaced this long before they end. */
const TOKEN_MARGIN_MS = 20_000;
/** A language tag, as the service accepts it. */
const LANGUAGE_TAG = /^(?=.{2,35}$)([a-z]{2,8}|[ix][-_][a-z\d]{1,8})([-_][a-z\d]{1,8})*$/i;
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
  #renewal: Promise<string> | null = null;

  /** `foreign` is called if a token is somebody else's than what is stored. */
  constructor(options: ClientOptions, storage: Storage, turns: Turns, foreign: () => void) {
    this.#options = options;
    this.#storage = storage;
    this.#turns = turns;
    this.#foreign = foreign;
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** Running requests end without effect, and the stored token is not trusted. */
  abort(): void {
    this.stop();
    this.#life = new AbortController();
  }

  /** Running requests end without effect, and nothing can begin. */
  stop(): void {
    this.#life.abort();
    this.#renewal = null;
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
        if (!isRefusal(error, 401) || refused) throw error;
        refused = token;
      }
    }
  }

  /** A token that has not ended and is not the one that was `refused`. */
  async token(refused?: string): Promise<string> {
    this.signal.throwIfAborted();
    const { token, until = 0 } = this.#storage.read();
    if (token && this.isTrusted && token !== refused && until - TOKEN_MARGIN_MS > Date.now()) return token;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = null));
    const renewed = await this.#renewal;
    if (renewed === refused) throw new ApiError(401, "TOKEN_REFUSED");
    return renewed;
  }

  async #renew(): Promise<string> {
    const signal = this.signal;
    const told = await this.#options.getToken(signal);
    signal.throwIfAborted();
    if (!told?.token || !told.externalUserId) throw new ApiError(0, "NO_TOKEN");
    if ((this.#storage.read().externalUserId ?? told.externalUserId) !== told.externalUserId) this.#foreign();
    this.isTrusted = true;
    this.#storage.update({
      token: told.token,
      until: Date.now() + (told.expiresIn || 900) * 1_000,
      externalUserId: told.externalUserId,
      greeting: told.texts?.greeting,
      sourceUrlTemplate: told.sourceUrlTemplate,
      showsImages: told.showsImages,
      suggestions: told.suggestions,
      appearance: told.appearance,
      ...presenceIn(told),
      sessionId: this.#storage.read().sessionId ?? told.latestSessionId,
    });
    return told.token;
  }

  /** Calls with the id of an open session. */
  async inSession<T>(request: (id: string) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.exclusively("session", () => this.#openSession());
      if (this.#turns.session?.ownership === "closed") {
        await this.#resume(this.#turns.session.sessionId);
        await this.exclusively("session", () => this.#openSession());
      }
      const id = this.#storage.read().sessionId!;
      try {
        return await request(id);
      } catch (error) {
        if (!isRefusal(error, 404, 409) || attempt > MAX_SESSIONS) throw error;
        if (error.status === 404) this.leaveSession();
        else if (error.code === "SESSION_CLOSED") await this.#resume(id);
        else throw error;
      }
    }
  }

  /** Runs `action` in one tab at a time; not at all, if what runs has to end before its turn comes. */
  async exclusively(name: string, action: () => Promise<void>): Promise<void> {
    const { signal } = this;
    const key = `support-chat:${this.#options.api}:${name}`;
    await (navigator.locks ? navigator.locks.request(key, { signal }, action) : action());
    signal.throwIfAborted();
  }

  async #openSession(retries = 1): Promise<void> {
    const { sessionId, opening = randomId() } = this.#storage.read();
    if (sessionId) return;
    // The key is kept until the reply has come: a lost reply makes no second session.
    this.#storage.update({ opening });
    const locale = LANGUAGE_TAG.exec(this.#options.locale())?.[0];
    // The team's clock is named if this one shows another time.
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    try {
      const made = await this.call("POST", "/sessions", { locale, timezone }, { "idempotency-key": opening });
      this.#storage.update({ sessionId: made.sessionId, opening: undefined });
      this.#turns.session = made;
    } catch (error) {
      // The key was used with another body, as on a page in another language.
      if (!isRefusal(error, 400, 422)) throw error;
      this.#storage.update({ opening: undefined });
      if (!retries) throw error;
      await this.#openSession(retries - 1);
    }
  }

  async #resume(sessionId: string): Promise<void> {
    try {
      await this.call("POST", "/sessions/resume", { sessionId });
      const { session } = this.#turns;
      if (session) this.#turns.session = { ...session, ownership: "ai" };
    } catch (error) {
      if (!isRefusal(error, 404, 410)) throw error;
      this.leaveSession(error.status === 410);
    }
  }

  /** The session is gone, or can go on no longer, and what was said in it stays to be read. */
  leaveSession(hasEnded = false): void {
    if (!hasEnded) this.#turns.session = null;
    this.#storage.update({ sessionId: null, live: false, seen: 0 });
    this.#turns.leave();
  }
}

/** 128 random bits. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
