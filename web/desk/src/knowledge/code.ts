// The editor of Markdown: CodeMirror in a shadow tree, where its styles are a sheet made by script. The policy of the page
// allows no style element.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, Language, defineLanguageFacet, languageDataProp, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

const data = defineLanguageFacet();
const markdown = new Language(data, parser.configure([GFM, { props: [languageDataProp.add({ Document: data }), styleTags({ "TableHeader/...": tags.heading })] }]), [], "markdown");

const look = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, fontFamily: "ui-monospace, monospace" },
  { tag: tags.quote, color: "var(--muted)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: "var(--muted)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--strong-line)", borderRadius: "8px", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { font: "15px/1.55 ui-monospace, monospace", overflow: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "light-dark(#c7d7ff, #35497d)" },
  ".cm-placeholder": { color: "var(--muted)" },
});

// If the browser itself puts typed text in place of a selection, it keeps the look of what was selected in a style attribute,
// which the policy of the page refuses and reports.
const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== "insertText" || !event.cancelable || !event.data || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

export interface Code {
  /** Replaces the text, if it is another one. */
  set: (text: string) => void;
  focus: () => void;
  close: () => void;
}

interface Options {
  text: string;
  label: string;
  hint: string;
  isDark: boolean;
  change: (text: string) => void;
  submit: (text: string) => void;
}

/** Opens an editor in the shadow tree. */
export function openCode(root: ShadowRoot, { text, label, hint, isDark, change, submit }: Options): Code {
  const isMine = { current: true };
  const send = ({ state }: EditorView) => {
    submit(state.doc.toString());
    return true;
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.theme({}, { dark: isDark }),
        theme,
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        markdown.extension,
        syntaxHighlighting(look),
        placeholder(hint),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", dir: "auto", tabindex: "0" }),
        // Tab leaves the field, as everywhere on the page.
        typedOver,
        keymap.of([{ key: "Mod-Enter", run: send }, { key: "Mod-s", run: send, preventDefault: true }, ...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && isMine.current) change(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    set: (to) => {
      if (to === view.state.doc.toString()) return;
      isMine.current = false;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: to } });
      isMine.current = true;
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
