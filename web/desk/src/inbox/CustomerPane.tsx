// The right pane: what is known of the customer, and their other conversations.

import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent, type KeyboardEvent, type ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Tag, TagGroup, TagList } from "react-aria-components/TagGroup";

import { api, type Session } from "../api/client";
import { address } from "../place";
import { pane } from "../ui/dialogs";
import { Button, Icon, useNow } from "../ui/parts";
import { PlaceLink } from "../ui/PlaceLink";
import { fullTime, named, straight, t } from "../ui/texts";
import { MAX_TAG, MAX_TAGS, setTags } from "./actions";
import { usedTags, type Conversation } from "./data";
import { EditCustomer } from "./EditCustomer";
import { Result } from "./Result";

/** A customer who wrote nothing for so long is not in the chat any more. */
const GONE_MS = 10 * 60_000;

export function CustomerPane({ conversation }: { conversation: Conversation }): ReactNode {
  const { session } = conversation;
  const { user, externalUserId, metadata } = session;
  return (
    <aside className="person" aria-label={t("customer.title")}>
      <div className="customer-head">
        <h2>{t("customer.title")}</h2>
        <AriaButton translate="no" className="act icon customer-close" aria-label={t("close")} onPress={() => pane.set("conversation")}>
          <Icon name="close" />
        </AriaButton>
      </div>
      <dl className="facts">
        <Fact name={t("customer.name")} value={user?.name} />
        <Fact name={t("customer.email")} value={user?.email} />
      </dl>
      {(user?.name || user?.email) && (
        <p className={`mark verified ${user.verified ? "yes" : "no"}`}>
          <Icon name={user.verified ? "check" : "alert"} />
          {user.verified ? t("customer.verified") : t("customer.unverified")}
        </p>
      )}
      <EditCustomer session={session} />
      <EmailLink conversation={conversation} />
      <dl className="facts">
        <Fact name={t("customer.id")} value={externalUserId} />
        <Fact name={t("customer.channel")} value={named("channel", session.channel)} />
        <Fact name={t("customer.locale")} value={session.locale} />
        <Fact name={t("customer.since")} value={fullTime(session.createdAt)} />
        {Object.entries(metadata).map(([name, value]) => (
          <Fact key={name} name={straight(name)} value={`${value}`} />
        ))}
      </dl>
      <Tags session={session} />
      <OtherConversations session={session} />
    </aside>
  );
}

function Fact({ name, value }: { name: string; value: string | null | undefined }): ReactNode {
  if (!value) return null;
  return (
    <div>
      <dt dir="auto">{name}</dt>
      <dd dir="auto">{straight(value)}</dd>
    </div>
  );
}

/** A letter, if nobody is in the chat any more to read an answer. */
function EmailLink({ conversation: { session, escalation } }: { conversation: Conversation }): ReactNode {
  const now = useNow(30_000);
  const email = session.user?.email;
  const wroteAt = escalation?.lastCustomerMessageAt ?? session.lastActivityAt;
  const isGone = session.ownership === "closed" || now - Date.parse(wroteAt) > GONE_MS;
  if (!email || !isGone) return null;
  const link = location.origin + address({ view: "waiting", tag: null, sessionId: session.sessionId });
  const query = `subject=${encodeURIComponent(t("mail.subject"))}&body=${encodeURIComponent(`\n\n${t("mail.link")} ${link}`)}`;
  return (
    <a className="act mail" href={`mailto:${encodeURIComponent(email)}?${query}`}>
      <Icon name="mail" />
      {t("customer.mail")}
    </a>
  );
}

function Tags({ session }: { session: Session }): ReactNode {
  const [text, setText] = useState("");
  const { tags, sessionId } = session;
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    setText("");
    if (tag && !tags.includes(tag)) void setTags(sessionId, [...tags, tag]);
  };
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape" && !event.nativeEvent.isComposing && event.keyCode !== 229) event.currentTarget.blur();
  };
  return (
    <section>
      <h3>{t("customer.tags")}</h3>
      {tags.length > 0 && (
        <TagGroup aria-label={t("customer.tags")} onRemove={(keys) => void setTags(sessionId, tags.filter((tag) => !keys.has(tag)))}>
          <TagList className="tags">
            {tags.map((tag) => (
              <Tag key={tag} id={tag} textValue={tag} className="mark tag">
                <bdi>{straight(tag)}</bdi>
                <AriaButton translate="no" slot="remove" className="remove" aria-label={t("customer.removeTag", { tag })}>
                  <Icon name="close" />
                </AriaButton>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
      {tags.length < MAX_TAGS && (
        <form className="add-tag" onSubmit={add}>
          <input
            value={text}
            list="used-tags"
            maxLength={MAX_TAG}
            aria-label={t("customer.addTag")}
            placeholder={t("customer.addTag")}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={leave}
          />
          <datalist id="used-tags">
            {usedTags().map((tag) => (tags.includes(tag) ? null : <option key={tag} value={tag} />))}
          </datalist>
          <Button type="submit" isDisabled={!text.trim()}>
            {t("add")}
          </Button>
        </form>
      )}
    </section>
  );
}

/** Conversations of the same customer; those that only share an address that nobody vouches for stand apart. */
function OtherConversations({ session }: { session: Session }): ReactNode {
  const { externalUserId, user, sessionId } = session;
  const email = user?.email;
  const same = useQuery({
    queryKey: ["others", "id", externalUserId],
    enabled: !!externalUserId,
    staleTime: 30_000,
    queryFn: () => api.listSessions({ externalUserId: externalUserId ?? "" }),
  }).data;
  const sharing = useQuery({
    queryKey: ["others", "email", email],
    enabled: !!email,
    staleTime: 30_000,
    queryFn: () => api.listSessions({ email: email ?? "" }),
  }).data;
  const own = new Map((same?.items ?? []).map((one) => [one.sessionId, one]));
  const unsure: Session[] = [];
  for (const one of sharing?.items ?? []) {
    if (own.has(one.sessionId) || one.sessionId === sessionId) continue;
    if (user?.verified && one.user?.verified) own.set(one.sessionId, one);
    else unsure.push(one);
  }
  own.delete(sessionId);
  return (
    <>
      {own.size > 0 && (
        <section>
          <h3>{t("customer.earlier")}</h3>
          <Sessions sessions={[...own.values()]} />
        </section>
      )}
      {unsure.length > 0 && (
        <section className="unsure">
          <h3>
            <Icon name="alert" />
            {t("customer.sameEmail")}
          </h3>
          <p>{t("customer.sameEmailWarning")}</p>
          <Sessions sessions={unsure} />
        </section>
      )}
    </>
  );
}

function Sessions({ sessions }: { sessions: Session[] }): ReactNode {
  return (
    <ul className="sessions">
      {sessions.slice(0, 20).map((one) => (
        <li key={one.sessionId}>
          <PlaceLink to={one.lastHumanPart ? { escalationId: one.lastHumanPart.escalationId } : { sessionId: one.sessionId }} before={() => pane.set("conversation")}>
            <time dateTime={one.lastActivityAt}>{fullTime(one.lastActivityAt)}</time>
            <span className="mark">{named("ownership", one.ownership)}</span>
            {one.lastHumanPart?.rating && <span className="mark">{t("stand.rating", { score: one.lastHumanPart.rating.score })}</span>}
            {one.user?.name && <bdi className="cut">{straight(one.user.name)}</bdi>}
          </PlaceLink>
          {one.lastHumanPart && <Result of={one.lastHumanPart} />}
        </li>
      ))}
    </ul>
  );
}
