// The end of a list that comes in pages: why the next page could not be read, and the button that reads it.

import type { ReactNode } from "react";

import { codeOf, explain } from "../inbox/failures";
import { Act } from "../ui/parts";
import { k } from "./texts";

interface List {
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

export function More({ of }: { of: List }): ReactNode {
  return (
    <>
      {of.isFetchNextPageError && (
        <p className="problem" role="alert">
          {explain(codeOf(of.error))}
        </p>
      )}
      {of.hasNextPage && (
        <Act isDisabled={of.isFetchingNextPage} onPress={() => void of.fetchNextPage()}>
          {k("more")}
        </Act>
      )}
    </>
  );
}
