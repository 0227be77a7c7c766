// Keeps the claims of a person whose desk is open and used: one call renews them all, whichever conversation is shown.

import { api } from "../api/client";
import { signIn } from "../signin/session";
import { ask } from "./news";

/** A customer who writes again waits a quarter of an hour for the agent who answered. */
const EVERY_MS = 5 * 60_000;
const AGAIN_MS = 30_000;

/** Renews while keys and pointer are used, every five minutes, until it is called off. */
export function keepClaims(): () => void {
  let dueAt = 0;
  const renew = async () => {
    const { state, hasEnded } = signIn.get();
    if (Date.now() < dueAt || state !== "in" || hasEnded) return;
    dueAt = Date.now() + EVERY_MS;
    try {
      const { renewed } = await api.renewClaims({ body: {} });
      if (renewed) void ask();
    } catch {
      dueAt = Date.now() + AGAIN_MS;
    }
  };
  const works = () => void renew();
  const kinds = ["keydown", "pointerdown", "pointermove"] as const;
  for (const kind of kinds) addEventListener(kind, works, { passive: true, capture: true });
  return () => kinds.forEach((kind) => removeEventListener(kind, works, { capture: true }));
}
