// The switches of this computer, and the language of the page.

import type { ReactNode } from "react";

import { preferences, prefer, preferNotifications } from "../preferences";
import { useObservable } from "../store/observable";
import { chooseLanguage, language, LANGUAGES, t, type Language } from "./texts";
import { Switch } from "./Switch";
import { Dialog } from "./Dialog";

export function Settings(): ReactNode {
  const { sound, notifications, keys } = useObservable(preferences);
  return (
    <Dialog title={t("settings.title")}>
      <div className="settings">
        <Switch isOn={sound} change={(to) => prefer({ sound: to })}>
          {t("settings.sound")}
        </Switch>
        <Switch isOn={notifications} change={(to) => void preferNotifications(to)}>
          {t("settings.notifications")}
        </Switch>
        <Switch isOn={keys} change={(to) => prefer({ keys: to })}>
          {t("settings.keys")}
        </Switch>
        <label className="language">
          {t("settings.language")}
          <select value={language} onChange={(event) => chooseLanguage(event.target.value as Language)}>
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
    </Dialog>
  );
}
