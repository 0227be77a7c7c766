// Links to places of the desk.

import type { MouseEvent, ReactNode } from "react";

import { address, go, type Place } from "../place";

interface PlaceLinkProps {
  to: Partial<Place>;
  kind?: string;
  /** The name for screen readers, if the text alone does not say it. */
  label?: string;
  isCurrent?: boolean;
  /** Runs before the link is followed. */
  before?: () => void;
  children: ReactNode;
}

export function PlaceLink({ to, kind, label, isCurrent, before, children }: PlaceLinkProps): ReactNode {
  const run = () => {
    before?.();
    go(to);
  };
  return (
    <a href={address(to)} className={kind} aria-label={label} aria-current={isCurrent ? "page" : undefined} onClick={(event) => follow(event, run)}>
      {children}
    </a>
  );
}

/** Follows a link inside the page, and leaves other tabs, windows and downloads to the browser. */
export function follow(event: MouseEvent, run: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  run();
}
