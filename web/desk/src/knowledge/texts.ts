// The texts of the knowledge, which are loaded with it and not with the inbox.

import english from "../../languages/knowledge/en.json";
import { textsOf } from "../ui/texts";

export type KnowledgeText = keyof typeof english;

export const { load: loadKnowledgeTexts, text: k, known } = textsOf<KnowledgeText>(english, () => import("../../languages/knowledge/de.json"));

/** The text of a value that the service names; the value itself if this page does not know it. */
export const kind = (prefix: string, value: string): string => known(prefix, value) ?? value;
