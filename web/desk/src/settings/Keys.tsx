// API keys: which there are, making one, and deleting one.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, type ApiKey } from "../api/client";
import { signIn } from "../signin/session";
import { Dialog } from "../ui/Dialog";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { fullTime, moment, straight } from "../ui/texts";
import { keysQuery, reload } from "./data";
import { useForm } from "./form";
import { keptForm, keptTarget } from "./kept";
import { ConfirmDialog, Field, Form, FormFooter, QueryResult, Select } from "./parts";
import { SecretDialog } from "./SecretDialog";
import { s, word } from "./texts";

const ROLES = ["integration", "agent", "trainer", "admin"] as const;
const MODES = ["live", "test"] as const;
const DAYS = ["never", "30", "90", "365", "own"] as const;
const DAY_MS = 86_400_000;

export function Keys(): ReactNode {
  const keys = useQuery(keysQuery);
  const [isMaking, setMaking] = useState(() => keptForm("key") !== null);
  const [made, setMade] = useState<{ name: string; key: string | undefined } | null>(null);
  const [removed, setRemoved] = useState(() => keptTarget("key-delete"));
  const asked = keys.data?.find((one) => one.keyId === removed);
  return (
    <>
      <p className="lead">{s("keys.lead")}</p>
      <Button kind="primary" onPress={() => setMaking(true)}>
        {s("keys.new")}
      </Button>
      <QueryResult of={keys}>{(items) => <KeyTable items={items} remove={(one) => setRemoved(one.keyId)} />}</QueryResult>
      {isMaking && <NewKey close={() => setMaking(false)} done={(name, key) => setMade({ name, key })} />}
      {made && (
        <SecretDialog
          title={s("keys.once", { name: straight(made.name) })}
          hint={s("keys.onceHint")}
          label={s("keys.raw")}
          text={made.key}
          lost={s("keys.lost")}
          close={() => setMade(null)}
        />
      )}
      {asked && (
        <ConfirmDialog
          name={`key-delete ${asked.keyId}`}
          title={s("keys.delete")}
          text={s("keys.deleteText", { name: straight(asked.name) })}
          actionLabel={s("keys.delete")}
          typed={asked.name}
          close={() => setRemoved(null)}
          run={async () => {
            await api.deleteApiKey({ id: asked.keyId });
            await reload("keys");
            tell(s("keys.deleted", { name: straight(asked.name) }));
          }}
        />
      )}
    </>
  );
}

function KeyTable({ items, remove }: { items: ApiKey[]; remove: (one: ApiKey) => void }): ReactNode {
  if (!items.length) return <p className="empty">{s("keys.none")}</p>;
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{s("name")}</th>
          <th>{s("keys.role")}</th>
          <th>{s("keys.mode")}</th>
          <th>{s("keys.begins")}</th>
          <th>{s("keys.used")}</th>
          <th>{s("keys.expires")}</th>
          <th>
            <span className="said">{s("acts")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.keyId}>
            <th scope="row">
              <bdi>{straight(one.name)}</bdi>
            </th>
            <td data-label={s("keys.role")}>{word("role", one.role)}</td>
            <td data-label={s("keys.mode")}>
              <span className={`mark ${one.mode === "test" ? "test" : "tag"}`}>{word("mode", one.mode)}</span>
            </td>
            <td data-label={s("keys.begins")}>
              <code>{one.prefix}…</code>
            </td>
            <td data-label={s("keys.used")}>{one.lastUsedAt ? moment(one.lastUsedAt) : s("never")}</td>
            <td data-label={s("keys.expires")}>
              {!one.expiresAt ? s("never") : Date.parse(one.expiresAt) < Date.now() ? <span className="late">{s("keys.expired")}</span> : fullTime(one.expiresAt)}
            </td>
            <td className="end">
              <Button kind="quiet" aria-label={s("keys.deleteOne", { name: straight(one.name) })} onPress={() => remove(one)}>
                {s("delete")}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NewKey({ close, done }: { close: () => void; done: (name: string, key: string | undefined) => void }): ReactNode {
  const form = useForm({
    name: "key",
    initial: { name: "", role: "integration", mode: signIn.get().mode as string, ends: "never", date: "" },
    fields: ["name", "role", "mode", "expiresAt"],
    save: async ({ name, role, mode, ends, date }, key) => {
      const expiresAt =
        ends === "never" ? null : ends === "own" ? new Date(`${date}T23:59:59`).toISOString() : new Date(Date.now() + Number(ends) * DAY_MS).toISOString();
      const body = { name: name.trim(), role: role as "admin", mode: mode as "live", expiresAt };
      const made = await api.createApiKey({ body }, { idempotencyKey: key });
      await reload("keys");
      close();
      done(made.name, made.key);
    },
  });
  const { values, set } = form;
  const isDated = values.ends !== "own" || values.date !== "";
  return (
    <Dialog title={s("keys.new")} close={close}>
      <Form form={form}>
        <Field name="name" label={s("name")} value={values.name} change={(name) => set({ name })} hint={s("keys.nameHint")} isRequired autoFocus maxLength={100} />
        <Select
          label={s("keys.role")}
          value={values.role}
          options={ROLES.map((one) => [one, word("role", one)])}
          hint={word("roleHint", values.role)}
          problem={form.fields.role}
          change={(role) => set({ role })}
        />
        <Select
          label={s("keys.mode")}
          value={values.mode}
          options={MODES.map((one) => [one, word("mode", one)])}
          hint={word("modeHint", values.mode)}
          problem={form.fields.mode}
          change={(mode) => set({ mode })}
        />
        <Select
          label={s("keys.expires")}
          value={values.ends}
          options={DAYS.map((one) => [one, word("ends", one)])}
          problem={form.fields.expiresAt}
          change={(ends) => set({ ends })}
        />
        {values.ends === "own" && <Field name="date" label={s("keys.lastDay")} type="date" value={values.date} change={(date) => set({ date })} isRequired />}
        <FormFooter actionLabel={s("keys.make")} isDisabled={!values.name.trim() || !isDated} close={close} />
      </Form>
    </Dialog>
  );
}
