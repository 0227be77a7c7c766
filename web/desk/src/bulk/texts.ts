// The texts of what is done with marked conversations, loaded with it.

import english from "../../languages/bulk/en.json";
import { textsOf } from "../ui/texts";

export const { load: loadBulkTexts, text: b } = textsOf<keyof typeof english>(english, () => import("../../languages/bulk/de.json"));
