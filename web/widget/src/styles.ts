// The look, as one constructed style sheet for all elements of a page: a policy without `style-src` allows it.

import css from "./chat.css";

let sheet: CSSStyleSheet | null = null;

/** The one sheet of all elements of the page. */
export function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
