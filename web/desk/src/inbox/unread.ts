// News that came while nobody looked: customers who begin to wait, and messages of those whom this person answers. It
// makes the marks of the queue, the number in the title, the sound and the desktop notification, which never have a
// customer's words.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { preferences } from "../preferences";
import { signIn } from "../signin/session";
import { Observable, useObservable } from "../store/observable";
import { t } from "../ui/texts";
import { listQuery, type List } from "./data";

/** Sessions of this person with something that was not looked at. */
export const unread = new Observable<ReadonlySet<string>>(new Set());
/** When the newest message of a customer was written that was on the screen, or in the list at first. */
const seenAt = new Map<string, string>();
/** The sessions that this person's list had last; null before it was read. */
let mineBefore: ReadonlySet<string> | null = null;
let audio: AudioContext | undefined;

function setUnread(sessionId: string, isUnread: boolean): void {
  if (unread.get().has(sessionId) === isUnread) return;
  const next = new Set(unread.get());
  if (isUnread) next.add(sessionId);
  else next.delete(sessionId);
  unread.set(next);
}

/** The conversation is on the screen, with the customer's last message of that time. */
export function look(sessionId: string, wroteAt: string | undefined): void {
  if (document.hidden) return;
  setUnread(sessionId, false);
  if (wroteAt && wroteAt > (seenAt.get(sessionId) ?? "")) seenAt.set(sessionId, wroteAt);
}

/** Two short tones, made here: no file is loaded. Before the first key or press on the page browsers play nothing. */
async function ring(): Promise<void> {
  if (!navigator.userActivation.hasBeenActive) return;
  try {
    audio ??= new AudioContext();
    await audio.resume();
    const start = audio.currentTime;
    for (const [at, hertz] of [
      [0, 660],
      [0.16, 880],
    ] as const) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, start + at);
      volume.gain.exponentialRampToValueAtTime(0.15, start + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + at + 0.3);
      tone.connect(volume).connect(audio.destination);
      tone.start(start + at);
      tone.stop(start + at + 0.32);
    }
  } catch {
    // No sound device.
  }
}

function alertPerson(text: string): void {
  const { sound, notifications } = preferences.get();
  if (sound) void ring();
  if (!notifications || !document.hidden || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(t("title"), { body: text, tag: "desk" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones have notifications of service workers alone.
  }
}

/** Follows the two lists that are about this person's attention. */
export function useInboxAlerts(openSessionId: string | undefined): void {
  const waiting = useQuery(listQuery("waiting", null)).data;
  const mine = useQuery(listQuery("mine", null)).data;
  const { mode } = useObservable(signIn);
  const newOnes = useObservable(unread);
  const known = useRef<ReadonlySet<string> | null>(null);

  useEffect(() => {
    if (!waiting) return;
    const ids = new Set(waiting.items.map((row) => row.id));
    const before = known.current;
    known.current = before ? new Set([...before, ...ids]) : ids;
    if (before && [...ids].some((id) => !before.has(id))) alertPerson(t("alert.waiting"));
  }, [waiting]);

  useEffect(() => {
    const news = mine && followMine(mine, openSessionId);
    if (news) alertPerson(t(`alert.${news}`));
  }, [mine, openSessionId]);

  const number = (waiting?.waiting ?? 0) + newOnes.size;
  useEffect(() => {
    const name = mode === "test" ? `${t("mode.test")} · ${t("title")}` : t("title");
    document.title = number ? `(${number}) ${name}` : name;
  }, [number, mode]);
}

/** Marks what is new, and says what it is: a message, or a conversation that came by a colleague or after its time. */
function followMine(mine: List, openSessionId: string | undefined): "message" | "came" | null {
  const before = mineBefore;
  const ids = new Set(mine.items.map((row) => row.sessionId));
  mineBefore = ids;
  let news: "message" | "came" | null = null;
  for (const { sessionId, wroteAt } of mine.items) {
    const seen = seenAt.get(sessionId);
    const isWritten = !!wroteAt && seen !== undefined && wroteAt > seen;
    const hasCome = before !== null && !before.has(sessionId);
    if (sessionId === openSessionId && !document.hidden) continue;
    if (wroteAt && (seen === undefined || isWritten)) seenAt.set(sessionId, wroteAt);
    if (!isWritten && !hasCome) continue;
    setUnread(sessionId, true);
    news = isWritten ? "message" : (news ?? "came");
  }
  for (const id of unread.get()) if (!ids.has(id)) setUnread(id, false);
  return news;
}
