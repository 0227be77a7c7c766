// The settings of a company and its figures, in place of the inbox: the pages of this person, and the one that is shown.

import { lazy, Suspense, useEffect, useRef, type ComponentType, type ReactNode } from "react";

import { useCommands } from "../inbox/commands";
import { useAttention } from "../inbox/unread";
import { address, go, usePlace } from "../place";
import { hasRole } from "../signin/session";
import { useObservable } from "../store/observable";
import { dialog } from "../ui/dialogs";
import { useKeys } from "../ui/keys";
import { Help, Palette } from "../ui/Palette";
import { Icon } from "../ui/parts";
import { Settings } from "../ui/Settings";
import { t } from "../ui/texts";
import { Answers } from "./Answers";
import { Audit } from "./Audit";
import { Chat } from "./Chat";
import { Hours } from "./Hours";
import { Keys } from "./Keys";
import { Me } from "./Me";
import { Members } from "./Members";
import { PageLink } from "./parts";
import { pagesOf, type SettingsPage } from "./pages";
import { loadSettingsTexts, s } from "./texts";
import { Webhooks } from "./Webhooks";
import "./settings.css";

// Before anything of this module is drawn.
await loadSettingsTexts();

const Figures = lazy(() => import("./Figures"));

const PAGES: Record<SettingsPage, ComponentType<{ item?: string }>> = {
  me: Me,
  figures: Figures,
  members: Members,
  keys: Keys,
  chat: Chat,
  hours: Hours,
  answers: Answers,
  webhooks: Webhooks,
  audit: Audit,
};
const WITHOUT_INBOX = /^(area|knowledge|mode|tenant|sound|notifications|keys|help|settings|signOut)/;

export default function Area(): ReactNode {
  const { settings } = usePlace();
  const pages = pagesOf();
  const [wanted, item] = settings?.split("/") ?? [];
  const page = pages.find((one) => one === wanted) ?? pages[0];
  const hasInbox = hasRole("admin", "agent");
  // No single keys: they are the inbox's, and its conversation is not on the screen.
  const commands = useCommands(undefined)
    .filter((one) => hasInbox || WITHOUT_INBOX.test(one.id))
    .map((one) => (one.id === "help" ? one : { ...one, key: undefined }));
  useKeys(commands);
  const name = useObservable(dialog);
  if (!page) return null;
  return (
    <main className="area">
      <nav className="area-nav" aria-label={t("area.company")}>
        {hasInbox && (
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
        )}
        <ul>
          {pages.map((one) => (
            <li key={one}>
              <PageLink page={one} isCurrent={one === page}>
                {t(`area.${one}`)}
              </PageLink>
            </li>
          ))}
        </ul>
        <label className="area-choose">
          <span className="said">{s("page")}</span>
          <select value={page} onChange={(event) => go({ settings: event.target.value })}>
            {pages.map((one) => (
              <option key={one} value={one}>
                {t(`area.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </nav>
      {hasInbox && <Attention />}
      <Shown key={`${page} ${item}`} page={page} item={item} />
      {name === "palette" && <Palette commands={commands} />}
      {name === "help" && <Help />}
      {name === "settings" && <Settings />}
    </main>
  );
}

/** The inbox goes on telling what comes. */
function Attention(): ReactNode {
  useAttention(undefined);
  return null;
}

function Shown({ page, item }: { page: SettingsPage; item: string | undefined }): ReactNode {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Who goes from page to page by keyboard or ear begins at its head.
    if (document.activeElement === document.body || document.activeElement?.closest(".area-nav")) title.current?.focus();
  }, []);
  const Page = PAGES[page];
  return (
    <div className="area-page">
      <h2 ref={title} tabIndex={-1}>
        {t(`area.${page}`)}
      </h2>
      <Suspense fallback={<p role="status">{t("loading")}</p>}>
        <Page item={item} />
      </Suspense>
    </div>
  );
}
