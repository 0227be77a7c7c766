// Who may read an entry is never changed by the way: it is asked for by itself.

import type { ReactNode } from "react";

import { Ask } from "../settings/parts";
import type { Visibility } from "./data";
import { k } from "./texts";

/** Asks before customers may read an entry, or may no longer. */
export function AskVisibility({ to, run, close }: { to: Visibility; run: (key: string) => void | Promise<void>; close: () => void }): ReactNode {
  return <Ask name="visibility" title={k(`ask.${to}`)} text={k(`ask.${to}Text`)} act={k(`ask.${to}Do`)} run={async (key) => run(key)} close={close} />;
}
