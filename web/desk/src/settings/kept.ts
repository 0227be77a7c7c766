// The values of a form whose person had to sign in again. They last over that redirect alone, in this tab, and without
// secrets: they are not in the values that forms give here.

import { owner } from "../store/owner";

const PREFIX = "desk:form:";

/** Everything that was kept when the page came back. */
let found: Map<string, unknown> | null = null;

function all(): Map<string, unknown> {
  if (found) return found;
  found = new Map();
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(PREFIX)) continue;
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "null") as { owner: string; values: unknown } | null;
    sessionStorage.removeItem(key);
    // Somebody else may have signed in.
    if (stored?.owner === owner()) found.set(key.slice(PREFIX.length), stored.values);
  }
  return found;
}

export function keepForm(name: string, values: unknown): void {
  sessionStorage.setItem(PREFIX + name, JSON.stringify({ owner: owner(), values }));
}

export const keptForm = <T>(name: string): T | null => (all().get(name) as T | undefined) ?? null;

export const forgetForm = (name: string): void => void all().delete(name);

/** The target of a kept question, whose name is `prefix` and the target's id. */
export function keptTarget(prefix: string): string | null {
  const name = [...all().keys()].find((one) => one.startsWith(`${prefix} `));
  return name?.slice(prefix.length + 1) ?? null;
}
