// Members: who may sign in, inviting, roles, suspending, removing, signing out everywhere.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components/Menu";

import { api, type Member } from "../api/client";
import { signIn } from "../signin/session";
import { Dialog } from "../ui/Dialog";
import { tell } from "../ui/notices";
import { Button, Icon } from "../ui/parts";
import { moment, straight } from "../ui/texts";
import { membersQuery, reload, tagged, type Tagged } from "./data";
import { useForm } from "./form";
import { keptForm, keptTarget } from "./kept";
import { CheckboxGroup, ConfirmDialog, Field, Form, FormFooter, QueryResult } from "./parts";
import { SecretDialog } from "./SecretDialog";
import { s, word } from "./texts";

const ROLES = ["agent", "trainer", "admin"] as const;
type MemberRole = (typeof ROLES)[number];
const ACTS = ["edit", "invite", "signOut", "suspend", "activate", "remove"] as const;
type MemberAction = (typeof ACTS)[number];

interface Invited {
  name: string;
  url: string | undefined;
  provider: string;
}

const roleOptions = () => ROLES.map((id) => ({ id, name: word("role", id), hint: word("memberRoleHint", id) }));

/** The question that was open when the person had to sign in again. */
function keptAction(): { act: MemberAction; id: string } | null {
  for (const act of ACTS) {
    const id = keptTarget(`member-${act}`);
    if (id) return { act, id };
  }
  return null;
}

export function Members(): ReactNode {
  const members = useQuery(membersQuery);
  const [isInviting, setInviting] = useState(() => keptForm("member") !== null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const [asked, setAsked] = useState(keptAction);
  const member = members.data?.find((one) => one.memberId === asked?.id);
  const close = () => setAsked(null);
  return (
    <>
      <p className="lead">{s("members.lead")}</p>
      <Button kind="primary" onPress={() => setInviting(true)}>
        {s("members.invite")}
      </Button>
      <QueryResult of={members}>{(items) => <MemberTable items={items} ask={(act, id) => setAsked({ act, id })} />}</QueryResult>
      {isInviting && <Invite close={() => setInviting(false)} done={setInvited} />}
      {invited && (
        <SecretDialog
          title={s("members.once", { name: straight(invited.name) })}
          hint={`${s("members.onceHint")} ${word("provider", invited.provider)}`}
          label={s("members.link")}
          text={invited.url}
          lost={s("members.lost")}
          close={() => setInvited(null)}
        />
      )}
      {member && asked?.act === "edit" && <EditLoaded id={member.memberId} close={close} />}
      {member && asked && asked.act !== "edit" && <ConfirmMemberDialog key={asked.act} act={asked.act} member={member} close={close} invited={setInvited} />}
    </>
  );
}

function MemberTable({ items, ask }: { items: Member[]; ask: (act: MemberAction, id: string) => void }): ReactNode {
  const me = signIn.get().desk?.member.memberId;
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{s("name")}</th>
          <th>{s("email")}</th>
          <th>{s("members.roles")}</th>
          <th>{s("status")}</th>
          <th>{s("members.seen")}</th>
          <th>
            <span className="said">{s("acts")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.memberId}>
            <th scope="row">
              <bdi>{straight(one.name)}</bdi>
              {one.memberId === me && <span className="mark tag">{s("members.you")}</span>}
              {one.publicName !== one.name && <span className="hint line">{s("members.public", { name: straight(one.publicName) })}</span>}
            </th>
            <td data-label={s("email")}>{one.email}</td>
            <td data-label={s("members.roles")}>{one.roles.map((role) => word("role", role)).join(", ")}</td>
            <td data-label={s("status")}>
              <span className={`mark ${one.status === "active" ? "good" : one.status === "suspended" ? "urgent" : ""}`}>{word("memberStatus", one.status)}</span>
            </td>
            <td data-label={s("members.seen")}>{one.lastSignInAt ? moment(one.lastSignInAt) : s("never")}</td>
            <td className="end">
              <MenuTrigger>
                <AriaButton translate="no" className="act icon" aria-label={s("members.acts", { name: straight(one.name) })}>
                  <Icon name="more" />
                </AriaButton>
                <Popover className="popover" placement="bottom end">
                  <Menu className="menu" aria-label={s("members.acts", { name: straight(one.name) })} onAction={(act) => ask(act as MemberAction, one.memberId)}>
                    {actsOf(one).map((act) => (
                      <MenuItem translate="no" key={act} id={act} className="menu-item" textValue={s(`members.${act}`)}>
                        {s(`members.${act}`)}
                      </MenuItem>
                    ))}
                  </Menu>
                </Popover>
              </MenuTrigger>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function actsOf({ status }: Member): MemberAction[] {
  if (status === "suspended") return ["edit", "activate", "remove"];
  return ["edit", "invite", ...(status === "active" ? (["signOut"] as const) : []), "suspend", "remove"];
}

function Invite({ close, done }: { close: () => void; done: (invited: Invited) => void }): ReactNode {
  const form = useForm({
    name: "member",
    initial: { name: "", email: "", publicName: "", roles: ["agent"] as string[] },
    save: async ({ name, email, publicName, roles }, key) => {
      const body = { name: name.trim(), email: email.trim(), publicName: publicName.trim() || null, roles: roles as MemberRole[] };
      const made = await api.addMember({ body }, { idempotencyKey: key });
      await reload("members");
      close();
      done({ name: made.name, url: made.invitationUrl, provider: made.providerUser });
    },
  });
  const { values, set } = form;
  const first = values.name.trim().split(/\s+/)[0] ?? "";
  return (
    <Dialog title={s("members.invite")} close={close}>
      <Form form={form}>
        <Field name="name" label={s("me.name")} value={values.name} change={(name) => set({ name })} isRequired autoFocus maxLength={100} />
        <Field name="email" type="email" label={s("email")} value={values.email} change={(email) => set({ email })} isRequired maxLength={254} hint={s("members.emailHint")} />
        <Field
          name="publicName"
          label={s("members.publicOptional")}
          value={values.publicName}
          change={(publicName) => set({ publicName })}
          maxLength={100}
          hint={first ? s("members.publicHint", { name: first }) : s("me.publicNameHint")}
        />
        <CheckboxGroup name="roles" label={s("members.roles")} value={values.roles} change={(roles) => set({ roles })} options={roleOptions()} />
        <FormFooter actionLabel={s("members.makeLink")} isDisabled={!values.roles.length || !values.name.trim() || !values.email.trim()} close={close} />
      </Form>
    </Dialog>
  );
}

/** The member as it is now, so that the change is made from what is on the screen. */
function EditLoaded({ id, close }: { id: string; close: () => void }): ReactNode {
  const [round, setRound] = useState(0);
  const found = useQuery({
    queryKey: ["member", id, round],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => tagged(api.getMember.answer({ id })),
  });
  if (!found.data) return null;
  return <Edit key={found.data.tag} of={found.data} close={close} renew={() => setRound(round + 1)} />;
}

function Edit({ of: { data, tag }, close, renew }: { of: Tagged<Member>; close: () => void; renew: () => void }): ReactNode {
  const form = useForm({
    name: `member-edit ${data.memberId}`,
    initial: { name: data.name, publicName: data.publicName, roles: data.roles as string[] },
    save: async ({ name, publicName, roles }) => {
      const isSame = [...roles].sort().join() === [...data.roles].sort().join();
      const body = { name: name.trim(), publicName: publicName.trim(), ...(isSame ? {} : { roles: roles as MemberRole[] }) };
      await api.updateMember({ id: data.memberId, body }, { ifMatch: tag });
      await reload("members");
      tell(s("saved"));
      close();
    },
  });
  const { values, set } = form;
  return (
    <Dialog title={s("members.editTitle", { name: straight(data.name) })} close={close}>
      <Form form={form}>
        <Field name="name" label={s("me.name")} value={values.name} change={(name) => set({ name })} isRequired autoFocus maxLength={100} />
        <Field name="publicName" label={s("me.publicName")} value={values.publicName} change={(publicName) => set({ publicName })} isRequired maxLength={100} hint={s("me.publicNameHint")} />
        <CheckboxGroup name="roles" label={s("members.roles")} hint={s("members.rolesHint")} value={values.roles} change={(roles) => set({ roles })} options={roleOptions()} />
        {form.isConflict && (
          <div className="told ask" role="alert">
            <p>{s("conflict.short")}</p>
            <Button onPress={renew}>{s("conflict.theirs")}</Button>
          </div>
        )}
        <FormFooter actionLabel={s("save")} isDisabled={!values.roles.length} close={close} />
      </Form>
    </Dialog>
  );
}

interface ConfirmMemberDialogProps {
  act: Exclude<MemberAction, "edit">;
  member: Member;
  close: () => void;
  invited: (invited: Invited) => void;
}

function ConfirmMemberDialog({ act, member, close, invited }: ConfirmMemberDialogProps): ReactNode {
  const name = straight(member.name);
  const id = member.memberId;
  const run = async (key: string) => {
    if (act === "remove") await api.removeMember({ id });
    else if (act === "signOut") await api.signOutMember({ id });
    else if (act === "invite") {
      const made = await api.inviteMember({ id }, { idempotencyKey: key });
      invited({ name: made.name, url: made.invitationUrl, provider: made.providerUser });
    } else await api.updateMember({ id, body: { status: act === "suspend" ? "suspended" : "active" } });
    await reload("members");
    if (act !== "invite") tell(s(`members.${act}Done`, { name }));
  };
  return (
    <ConfirmDialog
      name={`member-${act} ${member.memberId}`}
      title={s(`members.${act}`)}
      text={s(`members.${act}Text`, { name })}
      actionLabel={s(`members.${act}`)}
      typed={act === "remove" ? member.name : undefined}
      run={run}
      close={close}
    />
  );
}

