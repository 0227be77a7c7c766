// What the assistant knows, in place of the inbox: entries, questions without an answer, and pages that are read in.

import { useEffect, useRef, type ReactNode } from "react";

import { useCommands, type Command } from "../inbox/commands";
import { useAttention } from "../inbox/unread";
import { address, go, usePlace } from "../place";
import { loadSettingsTexts } from "../settings/texts";
import { hasRole } from "../signin/session";
import { useObservable } from "../store/observable";
import { dialog } from "../ui/dialogs";
import { useKeys } from "../ui/keys";
import { Icon } from "../ui/parts";
import { Help, Palette } from "../ui/Palette";
import { Settings } from "../ui/Settings";
import { t } from "../ui/texts";
import { EditPage } from "./EditPage";
import { Entries } from "./Entries";
import { Gaps } from "./Gaps";
import { Ingest } from "./Ingest";
import { knowledgePages } from "./pages";
import { asked, Reader } from "./Reader";
import { k, loadKnowledgeTexts } from "./texts";
import { editAt, KnowledgeLink, whereIs, type Where } from "./where";
import "../settings/settings.css";
import "./knowledge.css";

// Before anything of this module is drawn.
await Promise.all([loadSettingsTexts(), loadKnowledgeTexts()]);

const WITHOUT_INBOX = /^(knowledge|area|mode|tenant|sound|notifications|keys|help|settings|signOut)/;

export default function Room(): ReactNode {
  const { knowledge } = usePlace();
  const where = whereIs(knowledge ?? "");
  const hasInbox = hasRole("admin", "agent");
  const commands = useRoomCommands(where, hasInbox);
  useKeys(commands);
  const name = useObservable(dialog);
  const canWrite = hasRole("admin", "trainer");
  const links = [{ to: "", name: k("entries"), isCurrent: !["gaps", "ingest"].includes(where.page) }, ...knowledgePages().map((one) => ({ to: `/${one}`, name: t(`knowledge.${one}`), isCurrent: where.page === one }))];
  return (
    <main className="area knowledge">
      <nav className="area-nav" aria-label={t("knowledge.title")}>
        {hasInbox && <ToInbox />}
        <ul>
          {links.map((one) => (
            <li key={one.to}>
              <KnowledgeLink to={one.to} isCurrent={one.isCurrent}>
                {one.name}
              </KnowledgeLink>
            </li>
          ))}
        </ul>
        <label className="area-choose">
          <span className="said">{k("page")}</span>
          <select value={links.find((one) => one.isCurrent)?.to} onChange={(event) => go({ knowledge: event.target.value })}>
            {links.map((one) => (
              <option key={one.to} value={one.to}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      </nav>
      {hasInbox && <Attention />}
      <Shown key={`${where.page} ${where.path ?? ""} ${where.page === "gaps" ? "" : where.item}`} where={where} canWrite={canWrite} />
      {name === "palette" && <Palette commands={commands} />}
      {name === "help" && <Help commands={commands} />}
      {name === "settings" && <Settings />}
    </main>
  );
}

/** The desk's commands without those of a conversation, and those of the entry that is shown. */
function useRoomCommands({ page, path }: Where, hasInbox: boolean): Command[] {
  const keys: Record<string, string | undefined> = { "knowledge.new": "n" };
  const commands = useCommands(undefined)
    .filter((one) => hasInbox || WITHOUT_INBOX.test(one.id))
    .map((one) => (one.id === "help" ? one : { ...one, key: keys[one.id] }));
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

/** The way back on a small screen, whose head has no rooms. */
function ToInbox(): ReactNode {
  return (
    <a
      className="area-back"
      href={address({})}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go({});
      }}
    >
      <Icon name="back" />
      {t("area.back")}
    </a>
  );
}

/** The inbox goes on telling what comes. */
function Attention(): ReactNode {
  useAttention(undefined);
  return null;
}

function Shown({ where, canWrite }: { where: Where; canWrite: boolean }): ReactNode {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    asked.set(null);
    // Who goes from page to page by keyboard or ear begins at its head.
    if (document.activeElement === document.body || document.activeElement?.closest(".area-nav")) title.current?.focus();
  }, []);
  const { name, page } = pageOf(where, canWrite);
  return (
    <div className="area-page">
      <h2 ref={title} tabIndex={-1}>
        {name}
      </h2>
      {page}
    </div>
  );
}

function pageOf({ page, path, item, filters }: Where, canWrite: boolean): { name: string; page: ReactNode } {
  if (page === "entry" && path) return { name: k("entry"), page: <Reader path={path} /> };
  if (page === "edit" && path && canWrite) return { name: k("entry.editing"), page: <EditPage path={path} /> };
  if (page === "new" && canWrite) return { name: k("entry.new"), page: <EditPage path={null} /> };
  if (page === "gaps") return { name: t("knowledge.gaps"), page: <Gaps item={item} /> };
  if (page === "ingest" && canWrite) return { name: t("knowledge.ingest"), page: <Ingest item={item} /> };
  return { name: k("entries"), page: <Entries filters={filters} /> };
}
