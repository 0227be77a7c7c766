// A hook that follows the scrolling of a list.

import { useCallback, useRef } from "react";

/** Calls `more` when the element at the end of a list comes into view. */
export function useInfiniteScroll(isActive: boolean, more: () => void): (element: HTMLElement | null) => void {
  const latest = useRef(more);
  latest.current = more;
  const watcher = useRef<IntersectionObserver>(undefined);
  return useCallback(
    (element) => {
      watcher.current?.disconnect();
      if (!element || !isActive) return;
      watcher.current = new IntersectionObserver(([seen]) => seen?.isIntersecting && latest.current());
      watcher.current.observe(element);
    },
    [isActive],
  );
}
