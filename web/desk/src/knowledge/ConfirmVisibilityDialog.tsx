// The question before an entry's visibility changes: that never happens by the way.

import type { ReactNode } from "react";

import type { Visibility } from "../api/client";
import { ConfirmDialog } from "../settings/parts";
import { k } from "./texts";

/** Asks before customers may read an entry, or may no longer. */
export function ConfirmVisibilityDialog({ to, run, close }: { to: Visibility; run: (key: string) => void | Promise<void>; close: () => void }): ReactNode {
  return <ConfirmDialog name="visibility" title={k(`ask.${to}`)} text={k(`ask.${to}Text`)} actionLabel={k(`ask.${to}Do`)} run={async (key) => run(key)} close={close} />;
}
