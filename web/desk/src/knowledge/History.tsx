// The versions of a path, newest first; of the chosen one what it changed, and the way back to it.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import type { Revision } from "../api/client";
import { go } from "../place";
import { LoadMore, QueryResult, Select } from "../settings/parts";
import { hasRole } from "../signin/session";
import { Button } from "../ui/parts";
import { count, fullTime, moment, straight } from "../ui/texts";
import { useAuthor } from "./authors";
import { revisionsQuery, versionQuery } from "./data";
import { Differences } from "./Differences";
import { toShown } from "./focus";
import { VisibilityMark } from "./marks";
import { Restore } from "./Restore";
import { entryAt, historyAt, KnowledgeLink } from "./routes";
import { k, kind } from "./texts";

interface Props {
  path: string;
  version: number | null;
  isAgainstToday: boolean;
}

export function History({ path, version, isAgainstToday }: Props): ReactNode {
  const list = useInfiniteQuery(revisionsQuery(path));
  const items = list.data?.pages.flatMap((page) => page.items);
  const today = items?.[0];
  const chosen = items?.find((one) => one.version === version);
  // On a small screen the list goes when a version is chosen, and the other way round.
  useEffect(() => toShown(version ? ".history-shown h3" : ".version-line a"), [version]);
  return (
    <>
      <p className="lead">
        {today && today.action !== "deleted" ? <KnowledgeLink to={entryAt(path)}>{path}</KnowledgeLink> : <span className="folders">{path}</span>}
      </p>
      {today?.action === "deleted" && <p className="told">{k("history.isDeleted")}</p>}
      <div className={`history ${version ? "has-chosen" : ""}`}>
        <section className="history-list" aria-label={k("history.versions")}>
          <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
            {(found) => (
              <>
                {!found.length && <p className="empty">{k("history.none")}</p>}
                <ol>
                  {found.map((one) => (
                    <VersionLine key={one.version} of={one} path={path} isToday={one === today} isCurrent={one.version === version} />
                  ))}
                </ol>
              </>
            )}
          </QueryResult>
          <LoadMore of={list} />
        </section>
        {version && today && <Chosen key={version} path={path} version={version} of={chosen} today={today} isAgainstToday={isAgainstToday} />}
      </div>
    </>
  );
}

function VersionLine({ of: one, path, isToday, isCurrent }: { of: Revision; path: string; isToday: boolean; isCurrent: boolean }): ReactNode {
  const author = useAuthor();
  return (
    <li className={`version-line ${isCurrent ? "current" : ""}`}>
      <div className="entry-head">
        <KnowledgeLink to={historyAt(path, one.version)} isCurrent={isCurrent}>
          {k("history.version", { version: one.version })}
        </KnowledgeLink>
        <time className="hint" dateTime={one.at}>
          {moment(one.at)}
        </time>
      </div>
      <p>
        <Action of={one.action} /> {isToday && one.action !== "deleted" && <span className="mark">{k("history.today")}</span>} <span className="hint">{k("history.by", { who: author(one.by) })}</span>
      </p>
      {one.title !== null && <p className="hint cut" dir="auto">{straight(one.title)}</p>}
    </li>
  );
}

function Action({ of }: { of: string }): ReactNode {
  return <span className={`mark ${of === "created" || of === "restored" ? "good" : of === "deleted" ? "urgent" : ""}`}>{kind("revision", of)}</span>;
}

interface ChosenProps {
  path: string;
  version: number;
  /** Its line, if it was listed so far. */
  of: Revision | undefined;
  today: Revision;
  isAgainstToday: boolean;
}

function Chosen({ path, version, of, today, isAgainstToday }: ChosenProps): ReactNode {
  const author = useAuthor();
  const isToday = version === today.version;
  const other = isAgainstToday ? today.version : version - 1;
  const shown = useQuery({ ...versionQuery(path, version), enabled: of?.action !== "deleted" });
  const against = useQuery({ ...versionQuery(path, other), enabled: other > 0 && (!isAgainstToday || today.action !== "deleted") });
  const [isAsked, setAsked] = useState(false);
  const isDeletion = of?.action === "deleted";
  const old = isDeletion ? null : shown.data;
  const before = against.isEnabled ? against.data : null;
  const failed = [shown, against].find((one) => one.error);
  const ready = old !== undefined && before !== undefined ? { old, before } : undefined;
  return (
    <section className="history-shown" aria-label={k("history.version", { version })}>
      <div className="history-back">
        <KnowledgeLink to={historyAt(path)}>{k("history.all")}</KnowledgeLink>
      </div>
      <h3 className="entry-marks" tabIndex={-1}>
        {k("history.version", { version })} {of && <Action of={of.action} />} {old && <VisibilityMark of={old.visibility} />}
      </h3>
      {of && <p className="hint">{k("history.facts", { who: author(of.by), time: fullTime(of.at), bytes: count(of.bytes) })}</p>}
      <div className="figures-head">
        <Select
          kind="short"
          label={k("history.against")}
          value={isAgainstToday ? "today" : ""}
          options={[["", k("history.againstBefore")], ...(isToday ? [] : [["today", k("history.againstToday")] as const])]}
          change={(to) => go({ knowledge: historyAt(path, version, to === "today") }, true)}
        />
        {hasRole("admin", "trainer") && old && !isToday && (
          <Button kind="primary" onPress={() => setAsked(true)}>
            {k("restore.do", { version })}
          </Button>
        )}
      </div>
      {old && <Restore path={path} old={old} today={today} isAsked={isAsked} setAsked={setAsked} />}
      <QueryResult of={{ data: ready, error: failed?.error ?? null, refetch: () => failed?.refetch() }}>
        {({ old, before }) => {
          if (!old && !isDeletion) return <p className="empty">{k("history.notKept")}</p>;
          if (!before && !isAgainstToday && other > 0) return <SingleVersion of={old} isDeletion={isDeletion} />;
          if (!isAgainstToday || !old) return <Differences label={k("history.did")} from={before} to={old} />;
          // Restoring leaves who may read it as it is.
          return <Differences label={k("history.would")} from={before} to={{ ...old, visibility: before?.visibility ?? "internal" }} />;
        }}
      </QueryResult>
    </section>
  );
}

/** A version without one before it: that was a deletion, or is no longer kept. */
function SingleVersion({ of, isDeletion }: { of: Parameters<typeof Differences>[0]["to"]; isDeletion: boolean }): ReactNode {
  return (
    <>
      <p className="hint">{k("history.nothingBefore")}</p>
      {!isDeletion && <Differences label={k("diff.label")} from={null} to={of} />}
    </>
  );
}
