// The settings of a company and its figures, in place of the inbox: the pages of this person, and the one that is shown.

import { lazy, Suspense, type ComponentType, type ReactNode } from "react";

import { usePlace } from "../place";
import { AreaFrame, AreaPage, useAreaCommands } from "../ui/AreaFrame";
import { t } from "../ui/texts";
import { Answers } from "./Answers";
import { Audit } from "./Audit";
import { Chat } from "./Chat";
import { Hours } from "./Hours";
import { Keys } from "./Keys";
import { Me } from "./Me";
import { Members } from "./Members";
import { pagesOf, type SettingsPage } from "./pages";
import { Replies } from "./Replies";
import { loadSettingsTexts, s } from "./texts";
import { Webhooks } from "./Webhooks";
import "./settings.css";

// Before anything of this module is drawn.
await loadSettingsTexts();

const Figures = lazy(() => import("./Figures"));

const PAGES: Record<SettingsPage, ComponentType<{ item?: string }>> = {
  me: Me,
  figures: Figures,
  replies: Replies,
  members: Members,
  keys: Keys,
  chat: Chat,
  hours: Hours,
  answers: Answers,
  webhooks: Webhooks,
  audit: Audit,
};

export default function SettingsArea(): ReactNode {
  const { settings } = usePlace();
  const pages = pagesOf();
  const [wanted, item] = settings?.split("/") ?? [];
  const page = pages.find((one) => one === wanted) ?? pages[0];
  const commands = useAreaCommands();
  if (!page) return null;
  const Page = PAGES[page];
  const links = pages.map((one) => ({ to: { settings: one }, name: t(`area.${one}`), isCurrent: one === page }));
  return (
    <AreaFrame label={t("area.company")} chooseLabel={s("page")} pages={links} commands={commands}>
      <AreaPage key={`${page} ${item}`} name={t(`area.${page}`)}>
        <Suspense fallback={<p role="status">{t("loading")}</p>}>
          <Page item={item} />
        </Suspense>
      </AreaPage>
    </AreaFrame>
  );
}
