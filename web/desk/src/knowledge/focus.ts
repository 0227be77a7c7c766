// The focus after a dialog: it gives the focus back to what opened it, which may be gone by then.

/** Focuses what is found when the dialog is gone. */
export function afterDialog(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()));
}

/** Focuses what is named, if nothing has the focus: what had it may be gone or out of sight. */
export const toShown = (selector: string): void => afterDialog(() => (isLost(document.activeElement) ? document.querySelector<HTMLElement>(selector) : null));

const isLost = (active: Element | null): boolean => !active || active === document.body || !active.checkVisibility();

/** The head of the page that was opened. */
export const toHead = (): void => toShown(".area-page h2");

/** Focuses the notice that somebody else was faster. */
export const toConflict = (): void => afterDialog(() => document.querySelector<HTMLElement>(".area-page .conflict"));
