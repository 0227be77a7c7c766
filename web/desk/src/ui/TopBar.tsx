// The head of the page: whose desk it is, live or test, whether this person takes customers, and the menu.

import { memo, type ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger, Popover, Separator } from "react-aria-components/Menu";

import { useCommands } from "../inbox/commands";
import { setAvailability } from "../inbox/availability";
import { useObservable } from "../store/observable";
import { usePlaceOf } from "../place";
import { hasRole, signIn } from "../signin/session";
import { Button, Icon } from "./parts";
import { dialog } from "./dialogs";
import { PlaceLink } from "./PlaceLink";
import { Switch } from "./Switch";
import { straight, t } from "./texts";

const IN_MENU = /^(knowledge|area|mode|tenant\..*|settings|help|signOut)$/;

export const TopBar = memo(function TopBar(): ReactNode {
  const commands = useCommands(undefined);
  const { desk, mode } = useObservable(signIn);
  const shown = commands.filter((one) => IN_MENU.test(one.id));
  const signOut = shown.find((one) => one.id === "signOut");
  if (!desk) return null;
  return (
    <header className={`top ${mode}`}>
      <h1 className="cut">
        <bdi>{straight(desk.tenant.name)}</bdi>
      </h1>
      <span className={`mode ${mode}`}>{t(`mode.${mode}`)}</span>
      <Areas />
      <span className="space" />
      <Button kind="quiet palette-open" hint="Ctrl K" onPress={() => dialog.set("palette")}>
        <Icon name="search" />
        <span className="tool-name">{t("palette.title")}</span>
      </Button>
      {hasRole("admin", "agent") && (
        <Switch isOn={desk.member.availability !== "away"} change={(to) => void setAvailability(to)}>
          {desk.member.availability === "away" ? t("availability.away") : t("availability.available")}
        </Switch>
      )}
      <MenuTrigger>
        <AriaButton translate="no" className="act icon" aria-label={t("menu")}>
          <Icon name="menu" />
        </AriaButton>
        <Popover className="popover" placement="bottom end">
          <div className="who">
            <bdi className="who-name">{straight(desk.member.name)}</bdi>
            <span className="path">{desk.member.email}</span>
          </div>
          <Menu
            className="menu"
            aria-label={t("menu")}
            onAction={(id) => commands.find((one) => one.id === id)?.run()}
          >
            {shown
              .filter((one) => one !== signOut)
              .map(({ id, name, key }) => (
                <MenuItem translate="no" key={id} id={id} className="menu-item" textValue={name}>
                  {name}
                  {key && <kbd aria-hidden="true">{key}</kbd>}
                </MenuItem>
              ))}
            <Separator className="separator" />
            <MenuItem translate="no" id="signOut" className="menu-item" textValue={t("signOut")}>
              {t("signOut")}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
    </header>
  );
});

/** The areas of the desk. */
function Areas(): ReactNode {
  const isKnowledge = usePlaceOf((place) => place.knowledge !== null);
  const isSettings = usePlaceOf((place) => place.settings !== null);
  const hasInbox = hasRole("admin", "agent");
  const area = (name: string, to: { knowledge?: string }, isCurrent: boolean) => (
    <PlaceLink to={to} isCurrent={isCurrent}>
      {name}
    </PlaceLink>
  );
  return (
    <nav className="rooms" aria-label={t("rooms")}>
      {hasInbox && area(t("inbox"), {}, !isKnowledge && !isSettings)}
      {area(t("knowledge.title"), { knowledge: "" }, isKnowledge || (!hasInbox && !isSettings))}
    </nav>
  );
}
