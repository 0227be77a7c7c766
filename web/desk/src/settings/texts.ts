// The texts of the settings, which are loaded with them and not with the inbox.

import english from "../../languages/settings/en.json";
import { textsOf } from "../ui/texts";

export type SettingsText = keyof typeof english;

export const { load: loadSettingsTexts, text: s, known } = textsOf<SettingsText>(english, () => import("../../languages/settings/de.json"));

export const word = (prefix: string, value: string): string => known(prefix, value) ?? value;
