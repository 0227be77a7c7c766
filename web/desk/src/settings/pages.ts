// The pages of the settings, and who may see which. Small, so that the menu and the palette can name them.

import { hasRole } from "../signin/session";

const ROLES = {
  me: ["admin", "trainer", "agent"],
  figures: ["admin", "trainer", "agent"],
  replies: ["admin", "trainer", "agent"],
  members: ["admin"],
  keys: ["admin"],
  chat: ["admin"],
  hours: ["admin"],
  answers: ["admin"],
  webhooks: ["admin", "trainer"],
  audit: ["admin"],
} as const;

export type SettingsPage = keyof typeof ROLES;

/** The pages of this person. */
export function pagesOf(): SettingsPage[] {
  return (Object.keys(ROLES) as SettingsPage[]).filter((page) => hasRole(...ROLES[page]));
}
