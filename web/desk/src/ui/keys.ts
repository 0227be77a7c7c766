// Single keys. None works while somebody types, or while a dialog or a menu is open; Ctrl-K works everywhere.

import { useEffect, useRef } from "react";

import { preferences } from "../preferences";
import { dialog } from "./dialogs";

/** Something that can be done, by its name or its key. */
export interface Command {
  id: string;
  name: string;
  key?: string;
  /** Not shown by the palette. */
  isPlain?: boolean;
  run: () => void;
  /** Runs instead of `run` at the single key: it asks first. */
  byKey?: () => void;
}

const WRITES = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=textbox], [role=searchbox]";
/** The elements that cover the page; a notice does not. */
const COVERS = "[role=dialog], [role=menu]";

/** The field may be in a shadow tree: the event's own target is then the element around it. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof Element && target.closest(WRITES) !== null;
}

export function useKeys(commands: Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.keyCode === 229) return;
      const isModified = event.ctrlKey || event.metaKey;
      if (isModified && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        dialog.set(dialog.get() === "palette" ? null : "palette");
        return;
      }
      const last = latest.current.find((one) => one.id === "undo");
      if (isModified && event.key === "z" && last && !isTyping(event)) {
        event.preventDefault();
        last.run();
        return;
      }
      if (isModified || event.altKey || isTyping(event) || !preferences.get().keys) return;
      if (document.querySelector(COVERS)) return;
      const command = latest.current.find((one) => one.key === event.key);
      if (!command || (event.repeat && command.key !== "j" && command.key !== "k")) return;
      event.preventDefault();
      (command.byKey ?? command.run)();
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
}
