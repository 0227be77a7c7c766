// Name and address of a customer, entered by the person who talks to them.

import { useState, type FormEvent, type ReactNode } from "react";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { TextField } from "react-aria-components/TextField";

import type { Session } from "../api/client";
import { Dialog } from "../ui/Dialog";
import { Button } from "../ui/parts";
import { t } from "../ui/texts";
import { setCustomer } from "./actions";

export function EditCustomer({ session }: { session: Session }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {t("customer.edit")}
      </Button>
      {isOpen && <CustomerForm session={session} close={() => setOpen(false)} />}
    </>
  );
}

function CustomerForm({ session: { sessionId, user }, close }: { session: Session; close: () => void }): ReactNode {
  const [name, setName] = useState(user?.name ?? "");
  const [email, setEmail] = useState(user?.email ?? "");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const written = { name: name.trim() || null, email: email.trim() || null };
    // The company vouched for who it was, and not for what is typed here.
    const isSame = written.name === (user?.name ?? null) && written.email === (user?.email ?? null);
    if (isSame || (await setCustomer(sessionId, written.name || written.email ? { ...written, verified: false } : null))) close();
  };
  return (
    <Dialog title={t("customer.edit")} close={close}>
      <form className="form" noValidate onSubmit={(event) => void save(event)}>
        <TextField className="field" value={name} onChange={setName} maxLength={100} autoFocus>
          <Label>{t("customer.name")}</Label>
          <Input dir="auto" autoComplete="off" />
        </TextField>
        <TextField className="field" type="email" value={email} onChange={setEmail} maxLength={254}>
          <Label>{t("customer.email")}</Label>
          <Input dir="ltr" autoComplete="off" />
        </TextField>
        <div className="dialog-foot">
          <Button onPress={close}>{t("cancel")}</Button>
          <Button type="submit" kind="primary">
            {t("customer.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
