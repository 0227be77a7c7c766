// The assistant's knowledge, in place of the inbox: entries, questions without an answer, and pages that are read in.

import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";

import type { Draft } from "../api/client";
import { go, usePlace } from "../place";
import { isGone } from "../settings/data";
import { loadSettingsTexts } from "../settings/texts";
import { hasRole } from "../signin/session";
import { AreaFrame, AreaPage, useAreaCommands } from "../ui/AreaFrame";
import type { Command } from "../ui/keys";
import { t } from "../ui/texts";
import { entryQuery, type TaggedEntry } from "./data";
import { DraftPage } from "./DraftPage";
import { askedOfDraft, countOf, draftQuery, mayChange, mayPublish, waitingQuery } from "./draft";
import { Disliked } from "./Disliked";
import { Drafts } from "./Drafts";
import { EditDraft, EditPage } from "./EditPage";
import { Entries } from "./Entries";
import { Gaps } from "./Gaps";
import { History } from "./History";
import { Ingest } from "./Ingest";
import { knowledgePages, type KnowledgePage } from "./pages";
import { asked, Reader } from "./Reader";
import { AnsweredCustomers } from "./AnsweredCustomers";
import { k, loadKnowledgeTexts } from "./texts";
import { draftEditAt, editAt, historyAt, parseRoute, type KnowledgeRoute } from "./routes";
import "../settings/settings.css";
import "./knowledge.css";

// Before anything of this module is drawn.
await Promise.all([loadSettingsTexts(), loadKnowledgeTexts()]);

export default function KnowledgeArea(): ReactNode {
  const { knowledge } = usePlace();
  const where = parseRoute(knowledge ?? "");
  const commands = useKnowledgeCommands(where);
  const { name, page } = pageOf(where, hasRole("admin", "trainer"));
  const entries = { to: { knowledge: "" }, name: k("entries"), isCurrent: !["gaps", "disliked", "drafts", "ingest"].includes(where.page) };
  const { data: waiting } = useQuery({ ...waitingQuery, select: countOf, enabled: hasRole("admin", "trainer") });
  const nameOf = (one: KnowledgePage) => (one === "drafts" && waiting ? k("drafts.waiting", { name: t("knowledge.drafts"), count: waiting }) : t(`knowledge.${one}`));
  const others = knowledgePages().map((one) => ({ to: { knowledge: `/${one}` }, name: nameOf(one), isCurrent: where.page === one }));
  return (
    <AreaFrame kind="knowledge" label={t("knowledge.title")} chooseLabel={k("page")} pages={[entries, ...others]} commands={commands} helped={commands}>
      <AreaPage key={`${where.page} ${where.path ?? ""} ${["gaps", "disliked"].includes(where.page) ? "" : where.item} ${where.isEdited}`} name={name}>
        <NothingAsked />
        {page}
      </AreaPage>
    </AreaFrame>
  );
}

/** A page begins without the question of the one before. */
function NothingAsked(): ReactNode {
  useEffect(() => {
    asked.set(null);
    askedOfDraft.set(null);
  }, []);
  return null;
}

/** The commands of an area, and those of the entry or draft that is shown. */
function useKnowledgeCommands({ page, path, item, isEdited }: KnowledgeRoute): Command[] {
  const canWrite = hasRole("admin", "trainer");
  const commands = useAreaCommands({ "knowledge.new": "n", "knowledge.drafts": "d" });
  const search = () => {
    if (page) go({ knowledge: "" });
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(".entries .search input")?.focus());
  };
  const here: Command[] = [{ id: "search", name: k("search"), key: "/", run: search }];
  if (!canWrite) here.push({ id: "propose", name: k("propose.new"), key: "n", run: () => go({ knowledge: "/new" }) });
  if (page === "entry" && path) {
    here.push({ id: "edit", name: k(canWrite ? "entry.edit" : "propose.change"), key: "e", run: () => go({ knowledge: editAt(path) }) });
    here.push({ id: "history", name: k("history"), key: "h", run: () => go({ knowledge: historyAt(path) }) });
    if (canWrite) here.push({ id: "visibility", name: k("entry.makeOther"), run: () => asked.set("visibility") });
    here.push({ id: "delete", name: k(canWrite ? "entry.delete" : "propose.delete"), run: () => asked.set("delete") });
  }
  const isDraft = page === "drafts" && !!item && !isEdited;
  const draft = useQuery({ ...draftQuery(item ?? ""), enabled: isDraft });
  const entry = useQuery({ ...entryQuery(draft.data?.data.path ?? ""), enabled: isDraft && !!draft.data });
  if (isDraft && draft.data) here.push(...draftCommands(draft.data.data, isGone(entry.error) ? null : entry.data));
  return [...here, ...commands];
}

/** Until the entry is read (null if there is none), nothing is published. */
function draftCommands(draft: Draft, entry: TaggedEntry | null | undefined): Command[] {
  const here: Command[] = [{ id: "history", name: k("history"), key: "h", run: () => go({ knowledge: historyAt(draft.path) }) }];
  if (!mayChange(draft)) return here;
  if (draft.action !== "delete") here.push({ id: "edit", name: k("draft.edit"), key: "e", run: () => go({ knowledge: draftEditAt(draft.draftId) }) });
  if (entry !== undefined && mayPublish(draft, entry)) here.push({ id: "publish", name: k("draft.publish"), run: () => askedOfDraft.set("publish") });
  here.push({ id: "discard", name: k("draft.discard"), run: () => askedOfDraft.set("discard") });
  return here;
}

function pageOf({ page, path, item, isEdited, version, isAgainstToday, filters }: KnowledgeRoute, canWrite: boolean): { name: string; page: ReactNode } {
  if (page === "entry" && path) return { name: k("entry"), page: <Reader path={path} /> };
  if (page === "edit" && path) return { name: k(canWrite ? "entry.editing" : "propose.change"), page: <EditPage path={path} /> };
  if (page === "new") return { name: k(canWrite ? "entry.new" : "propose.new"), page: <EditPage path={null} /> };
  if (page === "history" && path) return { name: k("history"), page: <History path={path} version={version} isAgainstToday={isAgainstToday} /> };
  if (page === "drafts" && item && isEdited) return { name: k("draft.edit"), page: <EditDraft draftId={item} /> };
  if (page === "drafts" && item) return { name: k("draft"), page: <DraftPage draftId={item} /> };
  if (page === "drafts") return { name: t("knowledge.drafts"), page: <Drafts /> };
  if (page === "told" && path) return { name: k("told"), page: <AnsweredCustomers path={path} /> };
  if (page === "gaps") return { name: t("knowledge.gaps"), page: <Gaps item={item} /> };
  if (page === "disliked") return { name: t("knowledge.disliked"), page: <Disliked item={item} /> };
  if (page === "ingest" && canWrite) return { name: t("knowledge.ingest"), page: <Ingest item={item} /> };
  return { name: k("entries"), page: <Entries filters={filters} /> };
}
