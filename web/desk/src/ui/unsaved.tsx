// Changes that are not saved: leaving them is asked about.

import { useEffect, useState, type ReactNode } from "react";

import { hold } from "../place";
import { Act } from "./parts";
import { t } from "./texts";
import { Window } from "./Window";

/**
 * Asks before a page is left whose changes are not saved; before the tab is left, the browser asks. The question that it
 * gives has to be on the page.
 */
export function useUnsavedChanges(isUnsaved: boolean): ReactNode {
  const [answer, setAnswer] = useState<((mayLeave: boolean) => void) | null>(null);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    return hold(() => new Promise((resolve) => setAnswer(() => resolve)));
  }, [isUnsaved]);
  if (!answer) return null;
  const say = (mayLeave: boolean) => {
    setAnswer(null);
    answer(mayLeave);
  };
  return (
    <Window title={t("unsaved.title")} close={() => say(false)}>
      <p>{t("unsaved.text")}</p>
      <div className="dialog-foot">
        <Act onPress={() => say(false)}>{t("unsaved.stay")}</Act>
        <Act kind="danger" onPress={() => say(true)}>
          {t("unsaved.leave")}
        </Act>
      </div>
    </Window>
  );
}
