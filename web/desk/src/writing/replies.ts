// The saved replies that this person sees.

import { queryOptions } from "@tanstack/react-query";

import { api, call } from "../api/client";
import type { SavedReply } from "../api/types";
import { queries } from "../inbox/data";

/** More than a tenant may have. */
const MAX_PAGES = 10;

async function readAll(): Promise<SavedReply[]> {
  const all: SavedReply[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const query = { limit: 100, cursor };
    const list = await call(api.GET("/saved-replies", { params: { query } }));
    all.push(...list.items);
    cursor = list.nextCursor;
  }
  return all.sort((a, b) => a.shortcut.localeCompare(b.shortcut));
}

export const repliesQuery = queryOptions({ queryKey: ["savedReplies"], queryFn: readAll, staleTime: 30_000 });

export const forgetReplies = (): Promise<void> => queries.invalidateQueries({ queryKey: ["savedReplies"] });
