// The way back to an old version: a new version with its text, after the sheet. If somebody changed the path since it was
// looked at, nothing is restored, and the person looks again.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import { api, type Entry, type Revision } from "../api/client";
import { go } from "../place";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { straight } from "../ui/texts";
import { entryChanged, versionQuery } from "./data";
import { Differences } from "./Differences";
import { movedTo } from "./draft";
import { toConflict, toHead } from "./focus";
import { entryAt } from "./routes";
import { questionsFor, SaveSheet } from "./SaveSheet";
import { k, kind } from "./texts";

interface Props {
  path: string;
  old: Entry;
  today: Revision;
  isAsked: boolean;
  setAsked: (to: boolean) => void;
}

export function Restore({ path, old, today, isAsked, setAsked }: Props): ReactNode {
  const { title, content } = old;
  /** The version that was today's before somebody else wrote. */
  const [seen, setSeen] = useState<number | null>(null);
  const isGone = today.action === "deleted";
  const visibility = isGone ? "internal" : (today.visibility ?? "internal");
  const change = isGone ? ({ path, action: "create", title, content, visibility: "internal" } as const) : { path, title, content };
  const restore = async (key: string) => {
    try {
      const body = { path, version: old.version, currentVersion: today.version };
      await api.restoreRevision({ body }, { idempotencyKey: key });
    } catch (error) {
      if (movedTo(error) === null) throw error;
      setSeen(today.version);
      setAsked(false);
      await entryChanged(path);
      return toConflict();
    }
    setAsked(false);
    await entryChanged(path);
    tell(k("restore.done", { title: straight(title), version: old.version }));
    go({ knowledge: entryAt(path) });
    toHead();
  };
  return (
    <>
      {seen !== null && seen !== today.version && <Moved path={path} seen={seen} today={today} again={() => setAsked(true)} />}
      {isAsked && (
        <SaveSheet
          of="restore"
          change={change}
          questions={questionsFor(change)}
          lead={<p>{k(isGone ? "restore.fromDeleted" : "restore.text", { version: old.version, visibility: kind("visibility", visibility) })}</p>}
          run={restore}
          close={() => setAsked(false)}
        />
      )}
    </>
  );
}

function Moved({ path, seen, today, again }: { path: string; seen: number; today: Revision; again: () => void }): ReactNode {
  const from = useQuery(versionQuery(path, seen));
  const to = useQuery({ ...versionQuery(path, today.version), enabled: today.action !== "deleted" });
  const [box, setBox] = useState<HTMLElement | null>(null);
  useEffect(() => {
    box?.scrollIntoView({ block: "nearest" });
  }, [box]);
  return (
    <div ref={setBox} className="told conflict" role="alert" tabIndex={-1}>
      <p>{k(today.action === "deleted" ? "restore.movedDeleted" : "restore.moved", { seen, version: today.version })}</p>
      {from.data !== undefined && (to.data !== undefined || !to.isEnabled) && <Differences label={k("restore.theirs")} from={from.data} to={to.data ?? null} />}
      <div className="acts">
        <Button kind="primary" onPress={again}>
          {k("restore.again")}
        </Button>
      </div>
    </div>
  );
}
