// The saved replies that this person sees.

import { queryOptions } from "@tanstack/react-query";

import { api, readAll, type SavedReply } from "../api/client";
import { queries } from "../inbox/data";

async function readSorted(): Promise<SavedReply[]> {
  const all = await readAll(api.listSavedReplies.each({ limit: 100 }));
  return all.sort((a, b) => a.shortcut.localeCompare(b.shortcut));
}

export const repliesQuery = queryOptions({ queryKey: ["savedReplies"], queryFn: readSorted, staleTime: 30_000 });

export const forgetReplies = (): Promise<void> => queries.invalidateQueries({ queryKey: ["savedReplies"] });
