// The parts that are not needed at first: files beside this one, loaded when they are used.

import type actions from "./actions";
import type Articles from "./articles";
import type cards from "./cards";
import type look from "./look";
import { dress } from "./styles";

interface Parts {
  actions: typeof actions;
  articles: typeof Articles;
  cards: typeof cards;
  look: typeof look;
}

/** Loads a part and its look; once, unless that fails. */
export async function loadPart<K extends keyof Parts>(name: K, root: ShadowRoot): Promise<Parts[K]> {
  const part: Parts[K] = (await import(new URL(`./${name}.js`, import.meta.url).href)).default;
  dress(root, part.css);
  return part;
}
