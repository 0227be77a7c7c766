// What the assistant knows, in place of the inbox: entries, questions without an answer, and pages that are read in.

import { useEffect, type ReactNode } from "react";

import type { Command } from "../inbox/commands";
import { go, usePlace } from "../place";
import { loadSettingsTexts } from "../settings/texts";
import { hasRole } from "../signin/session";
import { AreaFrame, AreaPage, useAreaCommands } from "../ui/AreaFrame";
import { t } from "../ui/texts";
import { EditPage } from "./EditPage";
import { Entries } from "./Entries";
import { Gaps } from "./Gaps";
import { Ingest } from "./Ingest";
import { knowledgePages } from "./pages";
import { asked, Reader } from "./Reader";
import { Told } from "./Told";
import { k, loadKnowledgeTexts } from "./texts";
import { editAt, whereIs, type Where } from "./where";
import "../settings/settings.css";
import "./knowledge.css";

// Before anything of this module is drawn.
await Promise.all([loadSettingsTexts(), loadKnowledgeTexts()]);

export default function Room(): ReactNode {
  const { knowledge } = usePlace();
  const where = whereIs(knowledge ?? "");
  const commands = useRoomCommands(where);
  const { name, page } = pageOf(where, hasRole("admin", "trainer"));
  const entries = { to: { knowledge: "" }, name: k("entries"), isCurrent: !["gaps", "ingest"].includes(where.page) };
  const others = knowledgePages().map((one) => ({ to: { knowledge: `/${one}` }, name: t(`knowledge.${one}`), isCurrent: where.page === one }));
  return (
    <AreaFrame kind="knowledge" label={t("knowledge.title")} chooseLabel={k("page")} pages={[entries, ...others]} commands={commands} helped={commands}>
      <AreaPage key={`${where.page} ${where.path ?? ""} ${where.page === "gaps" ? "" : where.item}`} name={name}>
        <NothingAsked />
        {page}
      </AreaPage>
    </AreaFrame>
  );
}

/** A page begins without the question of the one before. */
function NothingAsked(): ReactNode {
  useEffect(() => asked.set(null), []);
  return null;
}

/** The commands of an area, and those of the entry that is shown. */
function useRoomCommands({ page, path }: Where): Command[] {
  const commands = useAreaCommands({ "knowledge.new": "n" });
  const search = () => {
    if (page) go({ knowledge: "" });
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(".entries .search input")?.focus());
  };
  const here: Command[] = [{ id: "search", name: k("search"), key: "/", run: search }];
  if (page === "entry" && path && hasRole("admin", "trainer")) {
    here.push({ id: "edit", name: k("entry.edit"), key: "e", run: () => go({ knowledge: editAt(path) }) });
    here.push({ id: "visibility", name: k("entry.makeOther"), run: () => asked.set("visibility") });
    here.push({ id: "delete", name: k("entry.delete"), run: () => asked.set("delete") });
  }
  return [...here, ...commands];
}

function pageOf({ page, path, item, filters }: Where, canWrite: boolean): { name: string; page: ReactNode } {
  if (page === "entry" && path) return { name: k("entry"), page: <Reader path={path} /> };
  if (page === "edit" && path && canWrite) return { name: k("entry.editing"), page: <EditPage path={path} /> };
  if (page === "new" && canWrite) return { name: k("entry.new"), page: <EditPage path={null} /> };
  if (page === "told" && path) return { name: k("told"), page: <Told path={path} /> };
  if (page === "gaps") return { name: t("knowledge.gaps"), page: <Gaps item={item} /> };
  if (page === "ingest" && canWrite) return { name: t("knowledge.ingest"), page: <Ingest item={item} /> };
  return { name: k("entries"), page: <Entries filters={filters} /> };
}
