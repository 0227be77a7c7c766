// The pages of the knowledge beside its entries, and who may see which. Small, so that the palette can name them.

import { hasRole } from "../signin/session";

export type KnowledgePage = "gaps" | "disliked" | "drafts" | "ingest";

/** The pages of this person. */
export function knowledgePages(): KnowledgePage[] {
  return hasRole("admin", "trainer") ? ["gaps", "disliked", "drafts", "ingest"] : ["gaps", "disliked", "drafts"];
}
