// Changes that are not saved: leaving them is asked about.

import { useEffect, useState, type ReactNode } from "react";

import { hold } from "../place";
import { Dialog } from "./Dialog";
import { Button } from "./parts";
import { t } from "./texts";

interface Leaving {
  /** Nothing is asked any more, because what was written is saved or thrown away. */
  isOver?: { readonly current: boolean };
  /** The browser asks too, before the tab is left. */
  beforeUnload?: boolean;
}

/** Holds the page while something is unsaved. Gives what takes the answer, while the person has to be asked. */
export function useLeaving(isUnsaved: boolean, { isOver, beforeUnload = true }: Leaving = {}): ((mayLeave: boolean) => void) | null {
  const [answer, setAnswer] = useState<((mayLeave: boolean) => void) | null>(null);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    return hold(() => isOver?.current || new Promise<boolean>((resolve) => setAnswer(() => resolve)), beforeUnload);
  }, [isUnsaved, isOver, beforeUnload]);
  if (!answer) return null;
  return (mayLeave) => {
    setAnswer(null);
    answer(mayLeave);
  };
}

/**
 * Asks before a page is left whose changes are not saved; before the tab is left, the browser asks. The question that it
 * gives has to be on the page.
 */
export function useUnsavedChanges(isUnsaved: boolean): ReactNode {
  const say = useLeaving(isUnsaved);
  if (!say) return null;
  return (
    <Dialog title={t("unsaved.title")} close={() => say(false)}>
      <p>{t("unsaved.text")}</p>
      <div className="dialog-foot">
        <Button onPress={() => say(false)}>{t("unsaved.stay")}</Button>
        <Button kind="danger" onPress={() => say(true)}>
          {t("unsaved.leave")}
        </Button>
      </div>
    </Dialog>
  );
}
