// The look, as constructed style sheets: a policy without `style-src` allows it.

import css from "./chat.css";

const sheets = new Map<string, CSSStyleSheet>();

/** Adds a style sheet to an element, with the same object for all elements of the page. */
export function dress(root: ShadowRoot, text = css): void {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheets.set(text, (sheet = new CSSStyleSheet()));
    sheet.replaceSync(text);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
