// The look, as constructed style sheets: a policy without `style-src` allows it.

import css from "./chat.css";

/**
 * While the page's top layer is modal, or the page made this element inert, the browser lets nobody use it: it waits
 * unseen, as it was.
 */
export const UNUSABLE =
  ":where(:root:has(:modal),[inert]) support-chat,support-chat[inert]{visibility:hidden}:modal support-chat{visibility:inherit}";

const sheets = new Map<string, CSSStyleSheet>();

/** Adds a style sheet to an element or the page, with the same object for all elements of the page. */
export function dress(root: DocumentOrShadowRoot, text = css): void {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheets.set(text, (sheet = new CSSStyleSheet()));
    sheet.replaceSync(text);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
