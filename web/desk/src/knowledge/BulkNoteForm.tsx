// One note into many conversations: the progress, the conversations it could not be written into, and those once more.

import { useEffect, useRef, useState, type ReactNode } from "react";

import { explain } from "../inbox/failures";
import { Field } from "../settings/parts";
import { tell } from "../ui/notices";
import { Button, useNow } from "../ui/parts";
import { count, fullTime } from "../ui/texts";
import { freshNote, isFinal, isTooOld, keepNote, writeNote, type BulkNote } from "./customerAnswers";
import { k } from "./texts";

interface Props {
  /** The note as it was kept. */
  before: BulkNote;
  /** Whether there is somebody to write it to. */
  isOffered: boolean;
  chosen: ReadonlySet<string>;
  written: (sessionIds: string[]) => void;
  nameOf: (sessionId: string) => string;
}

const MAX_CHARS = 8_000;
/** Requests at once. */
const MAX_CONCURRENT = 4;
const KEEP_MS = 300;

export function BulkNoteForm({ before, isOffered, chosen, written, nameOf }: Props): ReactNode {
  const [note, setNote] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const head = useRef<HTMLParagraphElement>(null);
  const keep = useKept(note);
  const isOld = isTooOld(note, useNow(60_000));
  const ids = Object.keys(note.sent);
  const failed = ids.filter((id) => note.sent[id]);
  const done = ids.filter((id) => note.sent[id] === null).length;
  const left = isOld ? [] : ids.filter((id) => note.sent[id] !== null && !isFinal(note.sent[id] ?? ""));
  /** From here on a reload brings nothing of it back. */
  const finish = async (all: string[]) => {
    const fresh = freshNote(note.path);
    await keep(fresh);
    written(all);
    setNote(fresh);
  };
  const send = async (to: string[]) => {
    let now = { ...note, at: note.at ?? new Date().toISOString() };
    const become = (sent: BulkNote["sent"]) => {
      now = { ...now, sent: { ...now.sent, ...sent } };
      setNote(now);
      // Also if the page is left meanwhile.
      return keep(now);
    };
    setBusy(true);
    await become(Object.fromEntries(to.map((id) => [id, ""])));
    const waiting = [...to];
    const hand = async () => {
      for (let id = waiting.shift(); id; id = waiting.shift()) {
        const why = await writeNote(now, id);
        // The others are tried when the person says so.
        if (why === "RATE_LIMITED") waiting.length = 0;
        await become({ [id]: why });
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, hand));
    setBusy(false);
    const all = Object.keys(now.sent);
    if (all.some((id) => now.sent[id] !== null)) return head.current?.focus();
    tell(k("note.done", { count: count(all.length) }));
    return finish(all);
  };
  if (!ids.length) {
    if (!isOffered && !note.text) return null;
    return (
      <form
        className="form told-note"
        aria-label={k("note")}
        onSubmit={(event) => {
          event.preventDefault();
          void send([...chosen]);
        }}
      >
        <Field name="note" label={k("note")} value={note.text} change={(text) => setNote({ ...note, text })} rows={3} maxLength={MAX_CHARS} hint={k("note.hint")} />
        <Button type="submit" kind="primary" isDisabled={!note.text.trim() || !chosen.size}>
          {chosen.size ? k("note.write", { count: count(chosen.size) }) : k("note.chooseFirst")}
        </Button>
      </form>
    );
  }
  return (
    <div className="told-note sent" role="group" aria-label={k("note")}>
      <blockquote dir="auto">{note.text}</blockquote>
      <p ref={head} tabIndex={-1} role="status">
        {k("note.progress", { done: count(done), all: count(ids.length) })}
      </p>
      {isBusy && <progress aria-label={k("note")} value={done + failed.length} max={ids.length} />}
      {!isBusy && failed.length > 0 && (
        <ul className="note-failed">
          {failed.map((id) => (
            <li key={id}>
              <bdi>{nameOf(id)}</bdi>: {explain(note.sent[id] ?? "")}
            </li>
          ))}
        </ul>
      )}
      {!isBusy && isOld && done < ids.length && <p className="hint">{k("note.old", { time: fullTime(note.at ?? "") })}</p>}
      {!isBusy && (
        <p className="line-acts">
          {left.length > 0 && (
            <Button kind="primary" onPress={() => void send(left)}>
              {k("note.again", { count: count(left.length) })}
            </Button>
          )}
          <Button onPress={() => void finish(ids)}>{k("note.finish")}</Button>
        </p>
      )}
    </div>
  );
}

/** Keeps a note a moment after it changed, and when its page is left; never as it was read, which another tab may have changed. */
function useKept(note: BulkNote): (one: BulkNote) => Promise<void> {
  const latest = useRef(note);
  const kept = useRef(note);
  latest.current = note;
  const [keep] = useState(() => (one: BulkNote) => {
    kept.current = one;
    return keepNote(one);
  });
  useEffect(() => {
    if (note === kept.current) return undefined;
    const timer = setTimeout(() => void keep(note), KEEP_MS);
    return () => clearTimeout(timer);
  }, [note, keep]);
  useEffect(() => {
    const keepNow = () => {
      if (latest.current !== kept.current) void keep(latest.current);
    };
    addEventListener("pagehide", keepNow);
    return () => {
      removeEventListener("pagehide", keepNow);
      keepNow();
    };
  }, [keep]);
  return keep;
}
