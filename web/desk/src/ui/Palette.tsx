// Everything by name (Ctrl-K), and the list of keys.

import type { ReactNode } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { SearchField } from "react-aria-components/SearchField";

import { preferences, prefer } from "../preferences";
import { useObservable } from "../store/observable";
import { Dialog } from "./Dialog";
import { dialog } from "./dialogs";
import type { Command } from "./keys";
import { Button } from "./parts";
import { t } from "./texts";

export function Palette({ commands }: { commands: Command[] }): ReactNode {
  const { contains } = useFilter({ sensitivity: "base" });
  const shown = commands.filter((one) => !one.isPlain);
  const run = (id: React.Key) => {
    dialog.set(null);
    // After the dialog has given the focus back.
    setTimeout(() => shown.find((one) => one.id === id)?.run());
  };
  return (
    <Dialog title={t("palette.title")} kind="high">
      <Autocomplete filter={contains}>
        <SearchField className="search" aria-label={t("palette.field")} autoFocus>
          <Input translate="no" placeholder={t("palette.field")} />
        </SearchField>
        <Menu className="menu tall" aria-label={t("palette.title")} onAction={run} renderEmptyState={() => <p className="quiet">{t("palette.none")}</p>}>
          {shown.map(({ id, name, key }) => (
            <MenuItem translate="no" key={id} id={id} className="menu-item" textValue={name}>
              {name}
              {key && <kbd aria-hidden="true">{key}</kbd>}
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}

const KEYS = ["j", "k", "t", "r", "n", "/", "s", "b", "e", "z", "h", "l", "o", "x", "?"] as const;

/** `commands`: those of an area that is not the inbox. */
export function Help({ commands }: { commands?: Command[] }): ReactNode {
  const { keys } = useObservable(preferences);
  const named = commands?.flatMap(({ key, name }) => (key ? [{ key, name }] : [])) ?? KEYS.map((key) => ({ key, name: t(`help.${key}`) }));
  return (
    <Dialog title={t("help.title")}>
      <p>{keys ? t("help.text") : t("help.off")}</p>
      <dl className="keys">
        {named.map(({ key, name }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Ctrl K</kbd>
          </dt>
          <dd>{t("palette.title")}</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl ↵</kbd>
          </dt>
          <dd>{t("help.send")}</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl ⇧ ↵</kbd>
          </dt>
          <dd>{t("help.sendResolve")}</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl Z</kbd>
          </dt>
          <dd>{t("undo")}</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>{t("help.escape")}</dd>
        </div>
      </dl>
      <div className="dialog-foot">
        <Button onPress={() => prefer({ keys: !keys })}>{keys ? t("act.keysOff") : t("act.keysOn")}</Button>
      </div>
    </Dialog>
  );
}
