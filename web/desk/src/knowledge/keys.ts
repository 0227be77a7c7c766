// Keys that lists share.

import type { KeyboardEvent } from "react";

/** Arrows go between what a list's lines are opened by. */
export function moveBetween(event: KeyboardEvent<HTMLElement>, lines: string): void {
  if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest("select, textarea")) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(lines)];
  const to = links[links.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
  if (!links.includes(event.target) || !to) return;
  event.preventDefault();
  to.focus();
}
