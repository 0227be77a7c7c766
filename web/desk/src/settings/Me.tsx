// A member's own settings: the name, the name that customers see, and whether it takes customers.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, type Member } from "../api/client";
import { setAvailability } from "../inbox/availability";
import { queries } from "../inbox/data";
import { hasRole, signIn } from "../signin/session";
import { useObservable } from "../store/observable";
import { Button } from "../ui/parts";
import { tell } from "../ui/notices";
import { Switch } from "../ui/Switch";
import { useUnsavedChanges } from "../ui/unsaved";
import { moment, t } from "../ui/texts";
import { tagged, type Tagged } from "./data";
import { useForm } from "./form";
import { Field, Form, QueryResult } from "./parts";
import { tellProblem } from "./problems";
import { s, word } from "./texts";

export function Me(): ReactNode {
  const { desk } = useObservable(signIn);
  const memberId = desk?.member.memberId ?? "";
  const me = useQuery({
    queryKey: ["me", memberId],
    staleTime: 0,
    queryFn: () => tagged(api.getMember.answer({ id: memberId })),
  });
  return (
    <>
      <p className="lead">{s("me.lead")}</p>
      {!hasRole("admin", "agent") && <p className="told">{t("noInbox")}</p>}
      <QueryResult of={me}>{(found) => <MyName key={found.tag} of={found} />}</QueryResult>
      {hasRole("admin", "agent") && (
        <section className="part">
          <h3>{s("me.takes")}</h3>
          <Switch isOn={desk?.member.availability !== "away"} change={(to) => void setAvailability(to)}>
            {desk?.member.availability === "away" ? t("availability.away") : t("availability.available")}
          </Switch>
          <p className="hint">{s("me.takesHint")}</p>
        </section>
      )}
      <section className="part">
        <h3>{s("me.signIns")}</h3>
        <p className="hint">{s("me.signInsHint")}</p>
        <Button onPress={() => void endAll(memberId)}>{s("me.endAll")}</Button>
      </section>
    </>
  );
}

async function endAll(id: string): Promise<void> {
  try {
    await api.signOutMember({ id });
    // The page's own sign-in is one of them.
    location.assign("/desk/");
  } catch (error) {
    tell(tellProblem(error), true);
  }
}

function MyName({ of: { data, tag } }: { of: Tagged<Member> }): ReactNode {
  const form = useForm({
    name: "me",
    initial: { name: data.name, publicName: data.publicName },
    save: async ({ name, publicName }) => {
      const body = { name: name.trim(), publicName: publicName.trim() };
      const member = await api.updateMember({ id: data.memberId, body }, { ifMatch: tag });
      const now = signIn.get();
      if (now.desk) signIn.set({ ...now, desk: { ...now.desk, member } });
      await queries.invalidateQueries({ queryKey: ["me"] });
      tell(s("saved"));
    },
  });
  const { values, set } = form;
  const isChanged = values.name !== data.name || values.publicName !== data.publicName;
  const unsaved = useUnsavedChanges(isChanged && !form.isBusy);
  return (
    <section className="part">
      {unsaved}
      <Form form={form} label={s("me.names")}>
        <Field name="name" label={s("me.name")} value={values.name} change={(name) => set({ name })} hint={s("me.nameHint")} isRequired maxLength={100} />
        <Field
          name="publicName"
          label={s("me.publicName")}
          value={values.publicName}
          change={(publicName) => set({ publicName })}
          hint={s("me.publicNameHint")}
          isRequired
          maxLength={100}
        />
        <dl className="facts inline">
          <div>
            <dt>{s("email")}</dt>
            <dd>{data.email}</dd>
          </div>
          <div>
            <dt>{s("members.roles")}</dt>
            <dd>{data.roles.map((role) => word("role", role)).join(", ")}</dd>
          </div>
          <div>
            <dt>{s("members.seen")}</dt>
            <dd>{data.lastSignInAt ? moment(data.lastSignInAt) : s("never")}</dd>
          </div>
        </dl>
        {form.isConflict && (
          <p className="problem" role="alert">
            {s("conflict.short")}
          </p>
        )}
        <Button type="submit" kind="primary" isDisabled={!isChanged}>
          {s("save")}
        </Button>
      </Form>
    </section>
  );
}
