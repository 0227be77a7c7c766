// Proposed changes of the wiki: those that wait first, and what became of the others.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Draft, DraftStatus } from "../api/client";
import { LoadMore, QueryResult, Select } from "../settings/parts";
import { hasRole } from "../signin/session";
import { useAutoLoad } from "../ui/autoLoad";
import { moment, straight } from "../ui/texts";
import { useAuthor } from "./authors";
import { draftsQuery, isMine } from "./draft";
import { draftAt, KnowledgeLink } from "./routes";
import { k, kind } from "./texts";

const STATES = ["open", "published", "discarded"] as const;
const WHOSE = ["all", "mine"] as const;
/** So many lines are looked for if only some are shown. */
const MIN_SHOWN = 10;

export function Drafts(): ReactNode {
  const canPublish = hasRole("admin", "trainer");
  const [status, setStatus] = useState<DraftStatus>("open");
  const [whose, setWhose] = useState<(typeof WHOSE)[number]>(canPublish ? "all" : "mine");
  const list = useInfiniteQuery(draftsQuery(status));
  const items = list.data?.pages.flatMap((page) => page.items).filter((one) => whose === "all" || isMine(one));
  const isAutoLoading = useAutoLoad(list, !!items && items.length < MIN_SHOWN);
  return (
    <>
      <p className="lead">{k(canPublish ? "drafts.lead" : "drafts.leadAgent")}</p>
      <div className="figures-head">
        <Select kind="short" label={k("drafts.status")} value={status} options={STATES.map((one) => [one, k(`draftStatus.${one}`)])} change={(to) => setStatus(to as DraftStatus)} />
        <Select kind="short" label={k("drafts.whose")} value={whose} options={WHOSE.map((one) => [one, k(`draftsWhose.${one}`)])} change={(to) => setWhose(to as "all")} />
      </div>
      <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
        {(found) => (
          <>
            {!found.length && !isAutoLoading && <p className="empty">{k(list.hasNextPage ? "noneYet" : status === "open" && !canPublish ? "draftsNone.openAgent" : `draftsNone.${status}`)}</p>}
            <ol className="entry-list">
              {found.map((one) => (
                <DraftLine key={one.draftId} of={one} />
              ))}
            </ol>
          </>
        )}
      </QueryResult>
      {!isAutoLoading && <LoadMore of={list} />}
    </>
  );
}

function DraftLine({ of: one }: { of: Draft }): ReactNode {
  const author = useAuthor();
  return (
    <li className="entry-line">
      <div className="entry-head">
        <KnowledgeLink kind="entry-title" to={draftAt(one.draftId)}>
          <bdi>{draftName(one)}</bdi>
        </KnowledgeLink>
        <time className="hint" dateTime={one.updatedAt}>
          {moment(one.updatedAt)}
        </time>
      </div>
      <p className="entry-marks">
        <DraftMarks of={one} />
        <span className="folders">{one.path}</span>
        <span className="hint">{k("draft.by", { who: author(one.createdBy) })}</span>
      </p>
    </li>
  );
}

/** Its title; of one that has none, because the entry is to go or its words were erased, its path. */
export const draftName = ({ title, path }: Draft): string => straight(title ?? "") || path;

export function DraftMarks({ of: { action, status, gapId } }: { of: Draft }): ReactNode {
  return (
    <>
      <span className={`mark ${action === "delete" ? "urgent" : action === "create" ? "good" : ""}`}>{kind("draftAction", action)}</span>
      {status !== "open" && <span className="mark closed">{kind("draftStatus", status)}</span>}
      {gapId && (
        <KnowledgeLink kind="mark" to={`/gaps/${gapId}`}>
          {k("draft.fromGap")}
        </KnowledgeLink>
      )}
    </>
  );
}
