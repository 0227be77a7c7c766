// Where the focus goes after a dialog: it gives the focus back to what opened it, which may be gone by then.

/** Focuses what is found when the dialog is gone. */
export function afterDialog(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()));
}

/** The head of the page, where nothing else has the focus. */
export const toHead = (): void => afterDialog(() => (document.activeElement === document.body ? document.querySelector<HTMLElement>(".area-page h2") : null));

/** What says that somebody else was faster. */
export const toConflict = (): void => afterDialog(() => document.querySelector<HTMLElement>(".area-page .conflict"));
