// One webhook: how it stands, what can be done with it, and what it was sent.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, type Delivery, type Webhook } from "../api/client";
import { queries } from "../inbox/data";
import { go } from "../place";
import { Dialog } from "../ui/Dialog";
import { tell } from "../ui/notices";
import { Button, Icon } from "../ui/parts";
import { PlaceLink } from "../ui/PlaceLink";
import { duration, fullTime, moment, straight } from "../ui/texts";
import { reload, tagged, type Tagged } from "./data";
import { useForm } from "./form";
import { keptForm, keptTarget } from "./kept";
import { KindCheckboxes, newSecret } from "./kinds";
import { CodeBlock, ConfirmDialog, Field, Form, FormFooter, LoadMore, QueryResult, Select } from "./parts";
import { tellProblem } from "./problems";
import { SecretDialog } from "./SecretDialog";
import { known, s, word } from "./texts";

/** How often the page looks for what became of deliveries. */
const NEWS_MS = 3_000;
const STATES = ["", "failed", "held", "pending", "succeeded", "erased"] as const;
type Asked = "edit" | "rotate" | "delete" | "replay" | "disable" | "enable";
const ASKED: Asked[] = ["edit", "rotate", "delete", "disable", "enable"];

async function tryTo(run: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await run();
    await reload("webhook");
    tell(done);
  } catch (error) {
    tell(tellProblem(error), true);
  }
}

export function WebhookDetails({ id }: { id: string }): ReactNode {
  const found = useQuery({
    queryKey: ["webhook", id],
    staleTime: 0,
    refetchInterval: NEWS_MS,
    queryFn: () => tagged(api.getWebhook.answer({ id })),
  });
  return (
    <>
      <p className="lead">
        <PlaceLink to={{ settings: "webhooks" }}>← {s("webhooks.all")}</PlaceLink>
      </p>
      <QueryResult of={found}>{(of) => <Shown of={of} />}</QueryResult>
    </>
  );
}

function Shown({ of }: { of: Tagged<Webhook> }): ReactNode {
  const one = of.data;
  const id = one.webhookId;
  const [asked, setAsked] = useState<Asked | null>(
    () => ASKED.find((act) => (act === "edit" ? keptForm(`webhook-edit ${one.webhookId}`) !== null : keptTarget(`webhook-${act}`) === one.webhookId)) ?? null,
  );
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setAsked(null);
  const isOff = one.status !== "active";
  const ask = (act: Exclude<Asked, "edit" | "replay">, run: () => Promise<unknown>, typed?: string) => (
    <ConfirmDialog
      name={`webhook-${act} ${one.webhookId}`}
      title={s(`webhooks.${act}`)}
      text={s(`webhooks.${act}Text`)}
      actionLabel={s(`webhooks.${act}`)}
      typed={typed}
      close={close}
      run={async () => {
        await run();
        await reload("webhook");
      }}
    />
  );
  return (
    <>
      <section>
        <h3 className="url">{one.url}</h3>
        {one.description && <p>{straight(one.description)}</p>}
        <dl className="facts inline">
          <div>
            <dt>{s("status")}</dt>
            <dd>
              <WebhookState of={one} /> {one.disabledReason && (known("disabled", one.disabledReason) ?? one.disabledReason)}
            </dd>
          </div>
          <div>
            <dt>{s("webhooks.format")}</dt>
            <dd>{word("format", one.format)}</dd>
          </div>
          {one.secretHint && (
            <div>
              <dt>{s("webhooks.secret")}</dt>
              <dd>
                <code>…{one.secretHint}</code>
              </dd>
            </div>
          )}
          <div>
            <dt>{s("webhooks.kinds")}</dt>
            <dd>{one.events.map((kind) => word("kind", kind === "*" ? "all" : kind)).join(", ")}</dd>
          </div>
        </dl>
        <div className="acts">
          <Button
            kind="primary"
            onPress={() => void tryTo(() => api.testWebhook({ id }).then(() => reload("deliveries")), s("webhooks.tested"))}
          >
            {s("webhooks.test")}
          </Button>
          <Button onPress={() => setAsked("edit")}>{s("webhooks.edit")}</Button>
          {one.format !== "slack" && <Button onPress={() => setAsked("rotate")}>{s("webhooks.rotate")}</Button>}
          <Button onPress={() => setAsked(isOff ? "enable" : "disable")}>{s(isOff ? "webhooks.enable" : "webhooks.disable")}</Button>
          <Button onPress={() => setAsked("replay")}>{s("webhooks.replay")}</Button>
          <Button onPress={() => setAsked("delete")}>{s("webhooks.delete")}</Button>
        </div>
      </section>
      <Deliveries webhookId={one.webhookId} />
      {asked === "edit" && <Edit of={of} close={close} />}
      {asked === "replay" && <ReplayDialog id={one.webhookId} close={close} />}
      {asked === "rotate" &&
        ask("rotate", async () => {
          const made = newSecret();
          await api.rotateWebhookSecret({ id, body: { secret: made } });
          setSecret(made);
        })}
      {asked === "disable" && ask("disable", () => api.updateWebhook({ id, body: { status: "disabled" } }))}
      {asked === "enable" && ask("enable", () => api.updateWebhook({ id, body: { status: "active" } }))}
      {asked === "delete" &&
        ask(
          "delete",
          async () => {
            await api.deleteWebhook({ id });
            queries.removeQueries({ queryKey: ["webhook", one.webhookId] });
            await reload("webhooks");
            tell(s("webhooks.deleted"));
            go({ settings: "webhooks" });
          },
          s("webhooks.deleteTyped"),
        )}
      {secret && (
        <SecretDialog
          title={s("webhooks.secretTitle")}
          hint={`${s("webhooks.secretHint")} ${s("webhooks.rotated")}`}
          label={s("webhooks.secret")}
          text={secret}
          lost=""
          close={() => setSecret(null)}
        />
      )}
    </>
  );
}

function Edit({ of, close }: { of: Tagged<Webhook>; close: () => void }): ReactNode {
  // As it was when the dialog was opened; the page behind it goes on asking.
  const [{ data, tag }] = useState(of);
  const isSlack = data.format === "slack";
  const form = useForm({
    name: `webhook-edit ${data.webhookId}`,
    initial: { url: isSlack ? "" : data.url, events: data.events as string[], description: data.description ?? "" },
    save: async ({ url, events, description }) => {
      const isNew = url.trim() !== "" && url.trim() !== data.url;
      const body = { ...(isNew ? { url: url.trim() } : {}), events: events as "*"[], description: description.trim() || null };
      await api.updateWebhook({ id: data.webhookId, body }, { ifMatch: tag });
      await reload("webhook");
      tell(s("saved"));
      close();
    },
  });
  const { values, set } = form;
  return (
    <Dialog title={s("webhooks.edit")} kind="wide" close={close}>
      <Form form={form}>
        <Field
          name="url"
          label={s("webhooks.url")}
          type="url"
          value={values.url}
          change={(url) => set({ url })}
          hint={isSlack ? s("webhooks.urlKept", { url: data.url }) : s("urlHint.events")}
          placeholder={isSlack ? data.url : undefined}
          isCode
        />
        <Field name="description" label={s("webhooks.description")} value={values.description} change={(description) => set({ description })} maxLength={500} />
        <KindCheckboxes value={values.events} change={(events) => set({ events })} isSlack={isSlack} />
        {form.isConflict && (
          <div className="told ask" role="alert">
            <p>{s("conflict.short")}</p>
            <Button onPress={close}>{s("conflict.theirs")}</Button>
          </div>
        )}
        <FormFooter actionLabel={s("save")} isDisabled={!values.events.length} close={close} />
      </Form>
    </Dialog>
  );
}

export function WebhookState({ of: { status, consecutiveFailures } }: { of: Webhook }): ReactNode {
  if (status !== "active") return <span className="mark urgent">{word("webhookStatus", status)}</span>;
  if (consecutiveFailures > 0) return <span className="mark urgent">{s("webhooks.failing", { count: consecutiveFailures })}</span>;
  return <span className="mark good">{word("webhookStatus", status)}</span>;
}

/** `2026-11-24T09:30`, as a field for date and time has it, in the time of this computer. */
const localTime = (at: number): string => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function ReplayDialog({ id, close }: { id: string; close: () => void }): ReactNode {
  const form = useForm({
    name: `webhook-replay ${id}`,
    initial: { since: localTime(Date.now() - 86_400_000) },
    save: async ({ since }, key) => {
      await api.replayWebhook({ id, body: { since: new Date(since).toISOString() } }, { idempotencyKey: key });
      await reload("deliveries");
      tell(s("webhooks.replayed"));
      close();
    },
  });
  return (
    <Dialog title={s("webhooks.replay")} close={close}>
      <Form form={form}>
        <p>{s("webhooks.replayText")}</p>
        <Field name="since" type="datetime-local" label={s("webhooks.since")} value={form.values.since} change={(since) => form.set({ since })} isRequired autoFocus />
        <FormFooter actionLabel={s("webhooks.replay")} isDisabled={!form.values.since} close={close} />
      </Form>
    </Dialog>
  );
}

function Deliveries({ webhookId }: { webhookId: string }): ReactNode {
  const [status, setStatus] = useState<(typeof STATES)[number]>("");
  const [shown, setShown] = useState<string | null>(null);
  const list = useInfiniteQuery({
    queryKey: ["deliveries", webhookId, status],
    staleTime: 0,
    refetchInterval: NEWS_MS,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      api.listDeliveries({ id: webhookId, status: status || undefined, limit: 30, cursor: pageParam }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items);
  return (
    <section className="part">
      <h3>{s("deliveries.title")}</h3>
      <p className="hint">{s("deliveries.lead")}</p>
      <Select kind="short" label={s("deliveries.show")} value={status} options={STATES.map((one) => [one, word("deliveryStatus", one || "all")])} change={(to) => setStatus(to as "")} />
      <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>{(found) => <DeliveryTable items={found} show={setShown} />}</QueryResult>
      <LoadMore of={list} />
      {shown && <DeliveryDialog webhookId={webhookId} id={shown} close={() => setShown(null)} />}
    </section>
  );
}

const answerOf = ({ status, error, redirectsTo }: Delivery["attempts"][number]): string => {
  if (!status) return known("attempt", error ?? "") ?? error ?? s("webhooks.noAnswer");
  return redirectsTo ? `HTTP ${status}, ${s("deliveries.redirects", { to: redirectsTo })}` : `HTTP ${status}`;
};

const lastAnswerOf = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  return last ? answerOf(last) : s("deliveries.notYet");
};

function DeliveryMark({ status }: { status: string }): ReactNode {
  const kind = status === "succeeded" ? "good" : status === "failed" ? "urgent" : "";
  return <span className={`mark ${kind}`}>{word("deliveryStatus", status)}</span>;
}

function DeliveryTable({ items, show }: { items: Delivery[]; show: (id: string) => void }): ReactNode {
  if (!items.length) return <p className="empty">{s("deliveries.none")}</p>;
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{s("deliveries.at")}</th>
          <th>{s("deliveries.kind")}</th>
          <th>{s("status")}</th>
          <th>{s("deliveries.answer")}</th>
          <th>
            <span className="said">{s("acts")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.deliveryId}>
            <th scope="row">{moment(one.createdAt)}</th>
            <td data-label={s("deliveries.kind")}>
              {word("kind", one.type)} <span className="hint line">{one.type}</span>
            </td>
            <td data-label={s("status")}>
              <DeliveryMark status={one.status} />
              {one.nextAttemptAt && one.attemptCount > 0 && <span className="hint line">{s("deliveries.next", { time: moment(one.nextAttemptAt) })}</span>}
            </td>
            <td data-label={s("deliveries.answer")}>
              {lastAnswerOf(one)}
              {one.attemptCount > 1 && <span className="hint line">{s("deliveries.attempts", { count: one.attemptCount })}</span>}
            </td>
            <td className="end">
              <Button kind="quiet" aria-label={s("deliveries.open", { kind: one.type, time: moment(one.createdAt) })} onPress={() => show(one.deliveryId)}>
                {s("deliveries.look")}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DeliveryDialog({ webhookId, id, close }: { webhookId: string; id: string; close: () => void }): ReactNode {
  const path = { id: webhookId, delivery: id };
  const found = useQuery({
    queryKey: ["deliveries", webhookId, "one", id],
    staleTime: 0,
    refetchInterval: NEWS_MS,
    queryFn: () => api.getDelivery(path),
  });
  const form = useForm({
    name: "resend",
    initial: {},
    save: async (_, key) => {
      await api.resendDelivery(path, { idempotencyKey: key });
      await reload("deliveries");
      tell(s("deliveries.resent"));
    },
  });
  return (
    <Dialog title={s("deliveries.one")} kind="wide" close={close}>
      <QueryResult of={found}>
        {(one) => (
          <>
            <dl className="facts inline">
              <div>
                <dt>{s("deliveries.kind")}</dt>
                <dd>{one.type}</dd>
              </div>
              <div>
                <dt>{s("status")}</dt>
                <dd>
                  <DeliveryMark status={one.status} />
                </dd>
              </div>
              <div>
                <dt>{s("deliveries.event")}</dt>
                <dd>
                  <code>{one.eventId}</code>
                </dd>
              </div>
            </dl>
            <h3>{s("deliveries.tries")}</h3>
            {one.attempts.length === 0 && <p className="hint">{s("deliveries.notYet")}</p>}
            <ul className="events">
              {one.attempts.map((attempt, at) => (
                <li key={`${attempt.at} ${at}`}>
                  <time dateTime={attempt.at}>{fullTime(attempt.at)}</time>
                  <span>
                    {answerOf(attempt)}{" "}
                    <span className="hint">{attempt.durationMs < 1_000 ? `${attempt.durationMs} ms` : duration(attempt.durationMs)}</span>
                  </span>
                </li>
              ))}
            </ul>
            {one.payload ? <CodeBlock label={s("deliveries.sent")} text={JSON.stringify(one.payload, null, 2)} /> : <p className="hint">{s("deliveries.erased")}</p>}
            {one.lastResponse && <CodeBlock label={s("deliveries.got")} text={one.lastResponse} />}
            <Form form={form}>
              <div className="dialog-foot">
                {one.payload && (
                  <Button type="submit" kind="primary">
                    <Icon name="mail" />
                    {s("deliveries.resend")}
                  </Button>
                )}
              </div>
            </Form>
          </>
        )}
      </QueryResult>
    </Dialog>
  );
}
