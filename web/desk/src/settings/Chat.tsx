// The chat on the company's site: where it may be, what it says, the lines to copy, and a look at it.

import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";

import { api } from "../api/client";
import { Button, Icon } from "../ui/parts";
import { Switch } from "../ui/Switch";
import { t } from "../ui/texts";
import { signIn } from "../signin/session";
import { LOOK_FIELDS, LookFields, patchLook, pickLook, type LookValues } from "./Look";
import { Field } from "./parts";
import { SettingsForm } from "./SettingsForm";
import { s, word } from "./texts";

const Snippet = lazy(() => import("./Snippet"));
const TEXTS = ["greeting", "thanks", "farewell", "aboutMe", "noAnswer", "handover", "failure"] as const;
type Text = (typeof TEXTS)[number];
type Values = { origins: string; sourceUrlTemplate: string; showsImages: boolean } & LookValues & Record<`texts.${Text}`, string>;
/** The settings of the preview, as they are typed. */
type Typed = { greeting: string } & ReturnType<typeof patchLook>;

const linesOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export function Chat(): ReactNode {
  const [typed, setTyped] = useState<Typed | null>(null);
  return (
    <>
      <p className="lead">{s("chat.lead")}</p>
      <SettingsForm<Values>
        name="chat"
        fields={["widgetOrigins", "sourceUrlTemplate", "showsImages", ...LOOK_FIELDS, ...TEXTS.map((one) => `texts.${one}`)]}
        pick={(settings) => ({
          origins: settings.widgetOrigins.join("\n"),
          sourceUrlTemplate: settings.sourceUrlTemplate ?? "",
          showsImages: settings.showsImages,
          ...pickLook(settings),
          ...(Object.fromEntries(TEXTS.map((one) => [`texts.${one}`, settings.texts[one] ?? ""])) as Record<`texts.${Text}`, string>),
        })}
        patch={(values) => ({
          widgetOrigins: linesOf(values.origins),
          sourceUrlTemplate: values.sourceUrlTemplate.trim() || null,
          showsImages: values.showsImages,
          ...patchLook(values),
          texts: Object.fromEntries(TEXTS.map((one) => [one, values[`texts.${one}`].trim() || null])),
        })}
      >
        {({ values, set, fields }) => (
          <>
            <ReportChanges typed={{ greeting: values["texts.greeting"].trim(), ...patchLook(values) }} tell={setTyped} />
            <Field
              name="widgetOrigins"
              label={s("setting.widgetOrigins")}
              value={values.origins}
              change={(origins) => set({ origins })}
              rows={3}
              isCode
              placeholder="https://shop.example"
              hint={s("chat.originsHint")}
            />
            <Origins text={values.origins} />
            <Field
              name="sourceUrlTemplate"
              label={s("setting.sourceUrlTemplate")}
              value={values.sourceUrlTemplate}
              change={(sourceUrlTemplate) => set({ sourceUrlTemplate })}
              isCode
              placeholder="https://help.example/{path}"
              hint={s("chat.sourceHint")}
            />
            <div className="field">
              <Switch isOn={values.showsImages} change={(showsImages) => set({ showsImages })}>
                {s("setting.showsImages")}
              </Switch>
              <p className="hint">{s("chat.imagesHint")}</p>
            </div>
            <LookFields form={{ values, set, fields }} />
            <h3>{s("chat.texts")}</h3>
            <p className="hint">{s("chat.textsHint")}</p>
            {TEXTS.map((one) => (
              <Field
                key={one}
                name={`texts.${one}`}
                label={word("text", one)}
                value={values[`texts.${one}`]}
                change={(text) => set({ [`texts.${one}`]: text } as Partial<Values>)}
                rows={2}
                maxLength={500}
                placeholder={s("chat.ours")}
              />
            ))}
          </>
        )}
      </SettingsForm>
      <section className="part">
        <h3>{s("preview.title")}</h3>
        <p className="hint">{s("preview.hint")}</p>
        <Preview typed={typed} />
      </section>
      <section className="part">
        <h3>{s("snippet.title")}</h3>
        <Suspense fallback={<p role="status">{t("loading")}</p>}>
          <Snippet />
        </Suspense>
      </section>
    </>
  );
}

/** A line as an origin; null if it is none. */
function originOf(line: string): string | null {
  try {
    const { origin, protocol } = new URL(/^[a-z]+:\/\//i.test(line) ? line : `https://${line}`);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

/** Each line as it is typed: good, or what it should be. */
function Origins({ text }: { text: string }): ReactNode {
  const lines = linesOf(text);
  if (!lines.length) return <p className="hint">{s("chat.anywhere")}</p>;
  return (
    <ul className="checked" aria-live="polite">
      {lines.map((line, at) => {
        const origin = originOf(line);
        const isPlain = line.startsWith("http://") && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(line);
        const isGood = origin === line && !isPlain;
        return (
          <li key={`${at} ${line}`} className={isGood ? "good" : "bad"}>
            <Icon name={isGood ? "check" : "alert"} />
            <span>
              {line}
              {!isGood && ` ${origin && !isPlain ? s("chat.write", { origin }) : s(isPlain ? "chat.https" : "chat.noOrigin")}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function ReportChanges({ typed, tell }: { typed: Typed; tell: (typed: Typed) => void }): ReactNode {
  const key = JSON.stringify(typed);
  useEffect(() => tell(JSON.parse(key) as Typed), [key, tell]);
  return null;
}

/** The look changes in an open preview this long after the last key. */
const SETTLE_MS = 600;

type ChatElement = HTMLElement & { getToken: unknown };

/** The real chat, of a visitor who is in no figure and in no inbox, in the corner of this page. */
function Preview({ typed }: { typed: Typed | null }): ReactNode {
  const [state, setState] = useState<"none" | "loading" | "open" | "failed">("none");
  const holder = useRef<HTMLDivElement>(null);
  const newest = useRef(typed);
  newest.current = typed;
  useEffect(() => () => holder.current?.replaceChildren(), []);
  const look = JSON.stringify({ ...typed, greeting: "" });
  useEffect(() => {
    if (!holder.current?.firstChild) return undefined;
    const timer = setTimeout(() => void open(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [look]);
  const open = async () => {
    setState("loading");
    try {
      const { chatAddress } = await import("./Snippet");
      await import(/* @vite-ignore */ chatAddress());
      const externalUserId = `preview_${signIn.get().desk?.member.memberId ?? ""}_${Date.now()}`;
      const chat = document.createElement("support-chat") as ChatElement;
      chat.setAttribute("api", "/api/v1");
      chat.setAttribute("external-user-id", externalUserId);
      chat.getToken = async () => {
        const told = await api.issueWidgetToken({ body: { externalUserId } });
        const { greeting, ...look } = newest.current ?? { greeting: "" };
        return { ...told, ...look, texts: { ...told.texts, greeting: greeting || told.texts?.greeting } };
      };
      holder.current?.replaceChildren(chat);
      chat.setAttribute("open", "");
      setState("open");
    } catch {
      setState("failed");
    }
  };
  const close = () => {
    holder.current?.replaceChildren();
    setState("none");
  };
  return (
    <>
      <div className="acts">
        <Button isDisabled={state === "loading"} onPress={() => void open()}>
          {state === "open" ? s("preview.anew") : s("preview.open")}
        </Button>
        {state === "open" && <Button onPress={close}>{s("preview.close")}</Button>}
      </div>
      {state === "failed" && (
        <p className="problem" role="alert">
          {s("preview.failed")}
        </p>
      )}
      <div ref={holder} />
    </>
  );
}
