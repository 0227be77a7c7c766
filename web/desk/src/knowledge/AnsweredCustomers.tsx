// The customers who had an answer from an entry: those who still talk to us first, and one note into their conversations.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { memo, useCallback, useState, type ReactNode } from "react";
import { Checkbox } from "react-aria-components/Checkbox";

import type { WikiAnswer } from "../api/client";
import { nameOf } from "../inbox/name";
import { LoadMore, QueryResult, Select } from "../settings/parts";
import { useAutoLoad } from "../ui/autoLoad";
import { Button, Icon, Prose } from "../ui/parts";
import { count, fullTime, moment, named, percent, straight, t } from "../ui/texts";
import { ConversationButton } from "./ConversationButton";
import { entryQuery } from "./data";
import { moveBetween } from "./keys";
import { PinButton } from "./Pins";
import { BulkNoteForm } from "./BulkNoteForm";
import { answersQuery, keptNote, versionsQuery, type BulkNote } from "./customerAnswers";
import { k } from "./texts";
import { entryAt, KnowledgeLink } from "./routes";

export function AnsweredCustomers({ path }: { path: string }): ReactNode {
  const [round] = useState(() => crypto.randomUUID());
  const note = useQuery({ queryKey: ["note", path, round], gcTime: 0, queryFn: () => keptNote(path) });
  return <QueryResult of={note}>{(before) => <Answers path={path} before={before} />}</QueryResult>;
}

type Choose = (ids: string[], isChosen: boolean) => void;

function Answers({ path, before }: { path: string; before: BulkNote }): ReactNode {
  const [version, setVersion] = useState("");
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const entry = useQuery(entryQuery(path));
  const now = entry.data?.data.version;
  const open = useInfiniteQuery(answersQuery(path, "open", version)).data?.pages.flatMap((page) => page.items) ?? [];
  const choose = useCallback<Choose>((ids, isChosen) => {
    setTicked((some) => {
      const next = new Set(some);
      for (const id of ids) next[isChosen ? "add" : "delete"](id);
      return next;
    });
  }, []);
  const sessions = [...new Set(open.map((one) => one.sessionId))];
  // A session that is not shown gets no note.
  const chosen = new Set(sessions.filter((id) => ticked.has(id)));
  const isAll = chosen.size === sessions.length;
  return (
    <div className="told-page" onKeyDownCapture={(event) => moveBetween(event, ".told-line summary")}>
      <p className="lead">
        {k("told.lead")} <KnowledgeLink to={entryAt(path)}>{entry.data ? straight(entry.data.data.title) : path}</KnowledgeLink>
      </p>
      <Versions path={path} now={now} items={open} value={version} change={setVersion} />
      <section className="told-part" aria-labelledby="told-open">
        <h3 id="told-open">{k("told.open")}</h3>
        {sessions.length > 0 && (
          <p className="line-acts">
            <Button onPress={() => choose(sessions, !isAll)}>{k(isAll ? "told.chooseNone" : "told.chooseAll", { count: count(sessions.length) })}</Button>
            <span role="status">{chosen.size > 0 && k("told.chosen", { count: count(chosen.size) })}</span>
          </p>
        )}
        <BulkNoteForm before={before} isOffered={sessions.length > 0} chosen={chosen} written={(ids) => choose(ids, false)} nameOf={(id) => customerOf(open.find((one) => one.sessionId === id))} />
        <Part path={path} name="open" version={version} now={now} chosen={chosen} choose={choose} />
      </section>
      <section className="told-part" aria-labelledby="told-closed">
        <h3 id="told-closed">{k("told.closed")}</h3>
        <Part path={path} name="closed" version={version} now={now} />
      </section>
    </div>
  );
}

interface VersionsProps {
  path: string;
  now: number | undefined;
  items: WikiAnswer[];
  value: string;
  change: (to: string) => void;
}

/** Which version of the entry they were told: those that are kept, and those of the answers. */
function Versions({ path, now, items, value, change }: VersionsProps): ReactNode {
  const { data: kept = [] } = useQuery(versionsQuery(path));
  const at = new Map(kept.filter((one) => one.action !== "deleted").map((one) => [one.version, one.at]));
  const all = [...new Set([...at.keys(), ...items.map((one) => one.version), ...(value ? [Number(value)] : [])])].sort((a, b) => b - a);
  const nameOf = (version: number) => {
    const since = at.get(version);
    const name = since ? k("told.versionAt", { version, time: moment(since) }) : k("told.version", { version });
    return version === now ? `${name} (${k("told.now")})` : name;
  };
  return (
    <div className="figures-head">
      <Select kind="short" label={k("told.which")} value={value} options={[["", k("told.all")], ...all.map((one) => [String(one), nameOf(one)] as const)]} change={change} />
    </div>
  );
}

interface PartProps {
  path: string;
  name: "open" | "closed";
  version: string;
  now: number | undefined;
  chosen?: ReadonlySet<string>;
  choose?: Choose;
}

function Part({ path, name, version, now, chosen, choose }: PartProps): ReactNode {
  const list = useInfiniteQuery(answersQuery(path, name, version));
  const items = list.data?.pages.flatMap((page) => page.items);
  const isAutoLoading = useAutoLoad(list, items?.length === 0);
  return (
    <>
      <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
        {(found) => (
          <>
            {!found.length && isAutoLoading && <p role="status">{t("loading")}</p>}
            {!found.length && !isAutoLoading && <p className="empty">{k(list.hasNextPage ? "noneYet" : version ? "told.noneOf" : name === "open" ? "told.noneOpen" : "told.noneClosed")}</p>}
            <ol className="told-list">
              {found.map((one) => (
                <Line key={one.messageId} of={one} path={path} isOld={now !== undefined && one.version < now} isChosen={chosen?.has(one.sessionId) ?? false} choose={choose} />
              ))}
            </ol>
          </>
        )}
      </QueryResult>
      {!isAutoLoading && <LoadMore of={list} />}
    </>
  );
}

const customerOf = (one: WikiAnswer | undefined): string => nameOf(one ? { ...one.customer, sessionId: one.sessionId } : {});

interface LineProps {
  of: WikiAnswer;
  path: string;
  isOld: boolean;
  isChosen: boolean;
  choose: Choose | undefined;
}

const Line = memo(function Line({ of: one, path, isOld, isChosen, choose }: LineProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const name = customerOf(one);
  const question = straight(one.question);
  return (
    <li className="told-line">
      {choose && (
        <Checkbox className="tick" aria-label={k("told.choose", { name, question })} isSelected={isChosen} onChange={(to) => choose([one.sessionId], to)}>
          <span className="box">{isChosen && <Icon name="check" />}</span>
        </Checkbox>
      )}
      <div>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary dir="auto">{question}</summary>
          {isOpen && (
            <div className="told-answer">
              <Prose text={one.answer} />
              <div className="line-acts">
                <ConversationButton sessionId={one.sessionId} messageId={one.messageId} />
                <PinButton path={path} question={one.question} />
              </div>
            </div>
          )}
        </details>
        <p className="entry-marks hint">
          <bdi>{name}</bdi>
          <time dateTime={one.createdAt} title={fullTime(one.createdAt)}>
            {moment(one.createdAt)}
          </time>
          <span className={`mark ${isOld ? "" : "good"}`}>{k(isOld ? "told.versionOld" : "told.version", { version: one.version })}</span>
          {choose && <span>{named("ownership", one.ownership)}</span>}
          <span>{percent(one.confidence)}</span>
        </p>
      </div>
    </li>
  );
});
