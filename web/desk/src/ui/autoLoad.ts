// Lists whose pages may hold too few lines, or none, and have more behind them.

import { useEffect } from "react";

/** So many pages are read by themselves; then a button asks. */
const MAX_AUTO_PAGES = 3;

interface List {
  data?: { pages: unknown[] };
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** Reads a few more pages by itself while too little is shown; whether it still does. */
export function useAutoLoad({ data, hasNextPage, isFetching, isError, fetchNextPage }: List, isShort: boolean): boolean {
  const isAutoLoading = isShort && hasNextPage && !isError && !!data && data.pages.length < MAX_AUTO_PAGES;
  useEffect(() => {
    if (isAutoLoading && !isFetching) void fetchNextPage();
  }, [isAutoLoading, isFetching, fetchNextPage]);
  return isAutoLoading;
}
