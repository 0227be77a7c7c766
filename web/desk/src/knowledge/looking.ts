// Lists whose pages may hold too few lines, or none, and have more behind them.

import { useEffect } from "react";

/** So many pages are read by themselves; then a button asks. */
const BY_ITSELF = 3;

interface List {
  data?: { pages: unknown[] };
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** Looks on for a few pages where too little is shown. Says whether it still does. */
export function useLookOn({ data, hasNextPage, isFetching, isError, fetchNextPage }: List, isShort: boolean): boolean {
  const isLooking = isShort && hasNextPage && !isError && !!data && data.pages.length < BY_ITSELF;
  useEffect(() => {
    if (isLooking && !isFetching) void fetchNextPage();
  }, [isLooking, isFetching, fetchNextPage]);
  return isLooking;
}
