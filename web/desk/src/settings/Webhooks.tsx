// Webhooks: which there are, and making one. One of them, with its deliveries, is in `WebhookDetails.tsx`.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, type Webhook } from "../api/client";
import { go } from "../place";
import { Dialog } from "../ui/Dialog";
import { Button } from "../ui/parts";
import { PlaceLink } from "../ui/PlaceLink";
import { moment, straight } from "../ui/texts";
import { reload, webhooksQuery } from "./data";
import { useForm } from "./form";
import { keptForm } from "./kept";
import { KindCheckboxes, newSecret, SLACK_KINDS } from "./kinds";
import { Field, Form, FormFooter, QueryResult, Select } from "./parts";
import { SecretDialog } from "./SecretDialog";
import { s, word } from "./texts";
import { WebhookDetails, WebhookState } from "./WebhookDetails";

export function Webhooks({ item }: { item?: string }): ReactNode {
  if (item) return <WebhookDetails id={item} />;
  return <AllWebhooks />;
}

function AllWebhooks(): ReactNode {
  const webhooks = useQuery(webhooksQuery);
  const [isMaking, setMaking] = useState(() => keptForm("webhook") !== null);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const open = (id: string) => go({ settings: `webhooks/${id}` });
  return (
    <>
      <p className="lead">{s("webhooks.lead")}</p>
      <Button kind="primary" onPress={() => setMaking(true)}>
        {s("webhooks.new")}
      </Button>
      <QueryResult of={webhooks}>{(items) => <WebhookTable items={items} />}</QueryResult>
      {isMaking && (
        <NewWebhook
          close={() => setMaking(false)}
          done={(id, secret) => (secret ? setMade({ id, secret }) : open(id))}
        />
      )}
      {made && (
        <SecretDialog
          title={s("webhooks.secretTitle")}
          hint={s("webhooks.secretHint")}
          label={s("webhooks.secret")}
          text={made.secret}
          lost=""
          close={() => {
            setMade(null);
            // After the page is let go.
            setTimeout(() => open(made.id));
          }}
        />
      )}
    </>
  );
}

function WebhookTable({ items }: { items: Webhook[] }): ReactNode {
  if (!items.length) return <p className="empty">{s("webhooks.none")}</p>;
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{s("webhooks.url")}</th>
          <th>{s("webhooks.kinds")}</th>
          <th>{s("status")}</th>
          <th>{s("webhooks.last")}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.webhookId}>
            <th scope="row">
              <PlaceLink to={{ settings: `webhooks/${one.webhookId}` }}>{one.description ? straight(one.description) : one.url}</PlaceLink>
              {one.description && <span className="hint line">{one.url}</span>}
            </th>
            <td data-label={s("webhooks.kinds")}>
              {one.format === "slack" && <span className="mark">Slack</span>} {one.events.includes("*") ? s("kind.all") : s("webhooks.events", { count: one.events.length })}
            </td>
            <td data-label={s("status")}>
              <WebhookState of={one} />
            </td>
            <td data-label={s("webhooks.last")}>{one.lastDeliveryAt ? `${moment(one.lastDeliveryAt)} · ${one.lastStatus ?? s("webhooks.noAnswer")}` : s("never")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NewWebhook({ close, done }: { close: () => void; done: (id: string, secret: string | null) => void }): ReactNode {
  const form = useForm({
    name: "webhook",
    initial: { url: "", format: "events", events: ["handover.requested"] as string[], description: "", secret: newSecret() },
    // A secret is kept nowhere: after signing in again there is another.
    keep: (values) => ({ ...values, secret: newSecret() }),
    save: async ({ url, format, events, description, secret }, key) => {
      const isSlack = format === "slack";
      const body = {
        url: url.trim(),
        format: format as "events",
        events: events as Webhook["events"] as "*"[],
        description: description.trim() || null,
        ...(isSlack ? {} : { secret }),
      };
      const made = await api.createWebhook({ body }, { idempotencyKey: key });
      await reload("webhooks");
      close();
      done(made.webhookId, isSlack ? null : secret);
    },
  });
  const { values, set } = form;
  const chooseFormat = (format: string) => {
    const events = format === "slack" ? values.events.filter((one) => SLACK_KINDS.includes(one)) : values.events;
    set({ format, events: events.length ? events : ["handover.requested"] });
  };
  return (
    <Dialog title={s("webhooks.new")} kind="wide" close={close}>
      <Form form={form}>
        <Select
          label={s("webhooks.format")}
          value={values.format}
          options={[
            ["events", s("format.events")],
            ["slack", s("format.slack")],
          ]}
          hint={word("formatHint", values.format)}
          problem={form.fields.format}
          change={chooseFormat}
        />
        <Field
          name="url"
          label={s("webhooks.url")}
          type="url"
          value={values.url}
          change={(url) => set({ url })}
          placeholder={values.format === "slack" ? "https://hooks.slack.com/services/…" : "https://hooks.example.com/support"}
          hint={word("urlHint", values.format)}
          isRequired
          autoFocus
          isCode
        />
        <Field name="description" label={s("webhooks.description")} value={values.description} change={(description) => set({ description })} maxLength={500} />
        <KindCheckboxes value={values.events} change={(events) => set({ events })} isSlack={values.format === "slack"} />
        <FormFooter actionLabel={s("webhooks.make")} isDisabled={!values.url.trim() || !values.events.length} close={close} />
      </Form>
    </Dialog>
  );
}
