// Small parts that several panes share.

import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";

import { markdown, plainText } from "../../../widget/src/markdown";
import { t } from "./texts";

/** The drawings of the page, each one path in a square of 24. */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6",
  more: "M5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M17 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0",
  menu: "M4 7h16M4 12h16M4 17h16",
  alert: "M12 4l9 16H3zM12 10v4M12 17h.01",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  spark: "M12 3l2 6 6 2-6 2-2 6-2-6-6-2 6-2z",
  text: "M5 6h14M5 11h14M5 16h8",
  check: "M5 13l5 5L20 7",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }): ReactNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A button; `hint` is the key that does the same. */
export function Button({ hint, kind = "", children, ...rest }: ButtonProps & { hint?: string; kind?: string; children: ReactNode }): ReactNode {
  return (
    <AriaButton translate="no" {...rest} className={`act ${kind}`}>
      {children}
      {hint && <kbd aria-hidden="true">{hint}</kbd>}
    </AriaButton>
  );
}

/** Markdown as the customer's chat shows it: by the same code, without parsing markup. */
export function Prose({ text, isPlain = false }: { text: string; isPlain?: boolean }): ReactNode {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    holder.current?.replaceChildren(isPlain ? plainText(text, t("newTab")) : markdown(text, t("newTab")));
  }, [text, isPlain]);
  return <div ref={holder} className="prose" dir="auto" />;
}

/** The time now, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A value that changes at once, and at most every `ms` while it changes fast. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const isFast = Date.now() - changedAt.current < ms;
    changedAt.current = Date.now();
    if (!isFast) return setSettled(value);
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
