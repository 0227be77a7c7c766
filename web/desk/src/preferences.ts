// The switches of a person on this computer.

import { Observable } from "./store/observable";

export interface Preferences {
  sound: boolean;
  notifications: boolean;
  keys: boolean;
}

const NAME = "desk:preferences";
const DEFAULTS: Preferences = { sound: true, notifications: false, keys: true };

function stored(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}

export const preferences = new Observable<Preferences>({ ...DEFAULTS, ...stored() });

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  localStorage.setItem(NAME, JSON.stringify(preferences.get()));
}

/** Switches desktop notifications, and asks the browser for leave; they stay off if it is refused. */
export async function preferNotifications(wanted: boolean): Promise<void> {
  if (!wanted || !("Notification" in window)) return prefer({ notifications: false });
  const answer = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  prefer({ notifications: answer === "granted" });
}
