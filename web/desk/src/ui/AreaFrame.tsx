// The frame of the settings and the knowledge, in place of the inbox: the list of their pages, the head of the one that
// is shown, commands without a conversation, and dialogs.

import { useEffect, useRef, type ReactNode } from "react";

import { useCommands } from "../inbox/commands";
import { useInboxAlerts } from "../inbox/unread";
import { address, go, type Place } from "../place";
import { hasRole } from "../signin/session";
import { useObservable } from "../store/observable";
import { dialog } from "./dialogs";
import { useKeys, type Command } from "./keys";
import { Help, Palette } from "./Palette";
import { Icon } from "./parts";
import { PlaceLink } from "./PlaceLink";
import { Settings } from "./Settings";
import { t } from "./texts";

const WITHOUT_INBOX = /^(area|knowledge|mode|tenant|sound|notifications|keys|help|settings|signOut)/;
const hasInbox = () => hasRole("admin", "agent");

/** The desk's commands without those of a conversation. No single keys but `keys`: the others are the inbox's. */
export function useAreaCommands(keys: Record<string, string> = {}): Command[] {
  return useCommands(undefined)
    .filter((one) => hasInbox() || WITHOUT_INBOX.test(one.id))
    .map((one) => (one.id === "help" ? one : { ...one, key: keys[one.id] }));
}

interface AreaFrameProps {
  kind?: string;
  label: string;
  /** Names the choice of a page on a small screen. */
  chooseLabel: string;
  pages: { to: Partial<Place>; name: string; isCurrent: boolean }[];
  commands: Command[];
  /** The commands whose keys the help names; without them, those of the inbox. */
  helped?: Command[];
  children: ReactNode;
}

export function AreaFrame({ kind = "", label, chooseLabel, pages, commands, helped, children }: AreaFrameProps): ReactNode {
  useKeys(commands);
  const name = useObservable(dialog);
  const listed = pages.map((one) => ({ ...one, at: address(one.to) }));
  const choose = (at: string) => go(listed.find((one) => one.at === at)?.to ?? {});
  return (
    <main className={`area ${kind}`}>
      <nav className="area-nav" aria-label={label}>
        {hasInbox() && (
          <PlaceLink to={{}} kind="area-back">
            <Icon name="back" />
            {t("area.back")}
          </PlaceLink>
        )}
        <ul>
          {listed.map((one) => (
            <li key={one.at}>
              <PlaceLink to={one.to} isCurrent={one.isCurrent}>
                {one.name}
              </PlaceLink>
            </li>
          ))}
        </ul>
        <label className="area-choose">
          <span className="said">{chooseLabel}</span>
          <select value={listed.find((one) => one.isCurrent)?.at} onChange={(event) => choose(event.target.value)}>
            {listed.map((one) => (
              <option key={one.at} value={one.at}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      </nav>
      {hasInbox() && <InboxAlerts />}
      {children}
      {name === "palette" && <Palette commands={commands} />}
      {name === "help" && <Help commands={helped} />}
      {name === "settings" && <Settings />}
    </main>
  );
}

/** The inbox goes on telling what comes. */
function InboxAlerts(): ReactNode {
  useInboxAlerts(undefined);
  return null;
}

/** The page that is shown, with its head. Its key says when another page begins. */
export function AreaPage({ name, children }: { name: string; children: ReactNode }): ReactNode {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Focuses the head, from which a user of keyboard or screen reader goes on.
    if (document.activeElement === document.body || document.activeElement?.closest(".area-nav")) title.current?.focus();
  }, []);
  return (
    <div className="area-page">
      <h2 ref={title} tabIndex={-1}>
        {name}
      </h2>
      {children}
    </div>
  );
}
