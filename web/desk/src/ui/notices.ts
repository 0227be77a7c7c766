// Short messages at the edge of the page. They are said once, by their own text, and go by themselves.

import { UNSTABLE_ToastQueue as ToastQueue } from "react-aria-components/Toast";

export interface Notice {
  text: string;
  isAlert: boolean;
}

const SHOWN_MS = 7_000;

export const notices = new ToastQueue<Notice>({ maxVisibleToasts: 3 });

export function tell(text: string, isAlert = false): void {
  if (notices.visibleToasts.some((one) => one.content.text === text)) return;
  notices.add({ text, isAlert }, { timeout: isAlert ? 2 * SHOWN_MS : SHOWN_MS });
}
