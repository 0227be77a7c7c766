// The field for an entry's text, with a preview of what customers see. Its editor is loaded when it is opened; until then,
// and if it cannot be loaded, it is a plain field.

import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { flushSync } from "react-dom";

import { Button, useSettled } from "../ui/parts";
import type { Code } from "./code";
import { afterDialog } from "./focus";
import { IllustratedProse } from "./IllustratedProse";
import { k } from "./texts";

interface Props {
  value: string;
  change: (to: string) => void;
  submit: () => void;
  problem: string | undefined;
}

/** While somebody types, the preview is drawn this often. */
const PREVIEW_MS = 250;

/** Puts the person back into the text, after a dialog has given the focus back. */
export function focusText(): void {
  afterDialog(() => {
    const code = document.querySelector(".code-holder")?.shadowRoot?.querySelector<HTMLElement>(".cm-content");
    return code ?? document.querySelector<HTMLElement>(".writing textarea");
  });
}

export function Writing({ value, change, submit, problem }: Props): ReactNode {
  const [isShown, setShown] = useState(() => matchMedia("(min-width: 1100px)").matches);
  return (
    <div className={`writing ${isShown ? "both" : ""}`}>
      <div className="writing-head">
        <span className="label" id="entry-content">
          {k("entry.content")}
        </span>
        <Button kind="quiet" aria-pressed={isShown} onPress={() => setShown(!isShown)}>
          {k(isShown ? "preview.hide" : "preview.show")}
        </Button>
      </div>
      <div className="writing-parts">
        <TextEditor value={value} change={change} submit={submit} />
        {isShown && <Preview text={value} />}
      </div>
      <p className="hint">{k("entry.contentHint")}</p>
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Preview({ text }: { text: string }): ReactNode {
  const settled = useSettled(text, PREVIEW_MS);
  return (
    <div className="article writing-preview" role="region" aria-label={k("preview")} tabIndex={0}>
      {settled.trim() ? <IllustratedProse text={settled} /> : <p className="quiet">{k("preview.empty")}</p>}
    </div>
  );
}

function TextEditor({ value, change, submit }: Omit<Props, "problem">): ReactNode {
  const holder = useRef<HTMLDivElement>(null);
  const code = useRef<Code | null>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [state, setState] = useState<"loading" | "code" | "plain">("loading");
  const latest = useRef({ value, change, submit });
  latest.current = { value, change, submit };
  useEffect(() => {
    let isOver = false;
    void import("./code").then(
      ({ openCode }) => {
        const element = holder.current;
        if (isOver || !element) return;
        const hadFocus = plain.current !== null && document.activeElement === plain.current;
        code.current = openCode(element.shadowRoot ?? element.attachShadow({ mode: "open" }), {
          text: latest.current.value,
          label: k("entry.content"),
          hint: k("entry.contentExample"),
          isDark: matchMedia("(prefers-color-scheme: dark)").matches,
          change: (to) => latest.current.change(to),
          submit: (text) => {
            // The last characters may have been typed in the same moment: nothing is submitted without them.
            if (text !== latest.current.value) flushSync(() => latest.current.change(text));
            latest.current.submit();
          },
        });
        setState("code");
        if (hadFocus) code.current.focus();
      },
      () => setState("plain"),
    );
    return () => {
      isOver = true;
      code.current?.close();
      code.current = null;
    };
  }, []);
  useEffect(() => {
    code.current?.set(value);
  }, [value]);
  const keys = (event: KeyboardEvent) => {
    const isSend = (event.ctrlKey || event.metaKey) && (event.key === "Enter" || event.key === "s");
    if (!isSend) return;
    event.preventDefault();
    submit();
  };
  return (
    <>
      <div ref={holder} className="code-holder" hidden={state !== "code"} />
      {state !== "code" && <textarea ref={plain} className="code" aria-labelledby="entry-content" rows={16} dir="auto" value={value} onChange={(event) => change(event.target.value)} onKeyDown={keys} />}
    </>
  );
}
