// A customer's name, as a person can say it.

import { straight, t } from "../ui/texts";

interface Known {
  name?: string | null;
  email?: string | null;
  externalUserId?: string | null;
  sessionId?: string;
}

/** Words, as people choose them for a name: an id of such is said as it is. */
const WORDS = /^\p{L}+([ ._-]\p{L}+){0,2}$/u;
const MAX_WORDS = 24;
const END_CHARS = 4;

/** The name or the address; of who gave neither, the end of the id. */
export function nameOf({ name, email, externalUserId, sessionId }: Known): string {
  const given = straight(name ?? "").trim() || straight(email ?? "").trim();
  if (given) return given;
  const id = straight(externalUserId ?? "") || (sessionId ?? "");
  if (id.length <= MAX_WORDS && WORDS.test(id)) return id;
  const end = id.replace(/[^\p{L}\p{N}]/gu, "").slice(-END_CHARS).toUpperCase();
  return end ? t("customer.visitor", { end }) : t("customer.unnamed");
}
