// Questions that every save of the knowledge is tried against: those of an entry, and the button that pins one.

import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";

import { api, ApiError, withDetails } from "../api/client";
import { queries } from "../inbox/data";
import { isGone } from "../settings/data";
import { useForm } from "../settings/form";
import { Field, Form, LoadMore, QueryResult } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Button, Icon } from "../ui/parts";
import { straight } from "../ui/texts";
import { k } from "./texts";

const PAGE = 100;
const MAX_CHARS = 500;

const pinsQuery = (path: string) =>
  infiniteQueryOptions({
    queryKey: ["pins", path],
    staleTime: 30_000,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => api.listPins({ path, limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

const pinsChanged = (path: string): Promise<void> => queries.invalidateQueries({ queryKey: ["pins", path] });

async function pin(path: string, question: string, key: string): Promise<void> {
  try {
    await api.createPin({ body: { path, question: question.slice(0, MAX_CHARS) } }, { idempotencyKey: key });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409 && error.code === "CONFLICT") throw withDetails(error, [{ code: "PINS_FULL", message: k("pins.full") }]);
    throw error;
  }
  await pinsChanged(path);
}

/** Pins a customer's question to an entry. */
export function PinButton({ path, question }: { path: string; question: string }): ReactNode {
  const pins = useInfiniteQuery(pinsQuery(path));
  const [state, setState] = useState<"" | "busy" | "pinned">("");
  const [key] = useState(() => crypto.randomUUID());
  if (!hasRole("admin", "trainer")) return null;
  const isPinned = state === "pinned" || pins.data?.pages.some((page) => page.items.some((one) => one.question === question));
  const run = async () => {
    setState("busy");
    try {
      await pin(path, question, key);
      setState("pinned");
    } catch (error) {
      setState("");
      tell(tellProblem(error), true);
    }
  };
  // It keeps its place, and so the focus, when it is done.
  return (
    <Button kind="text" aria-disabled={isPinned} onPress={() => void (!isPinned && state !== "busy" && run())}>
      {isPinned && <Icon name="check" />}
      {k(isPinned ? "pins.pinned" : "pins.pin")}
    </Button>
  );
}

/** The pinned questions of an entry. */
export function Pins({ path }: { path: string }): ReactNode {
  const pins = useInfiniteQuery(pinsQuery(path));
  const items = pins.data?.pages.flatMap((page) => page.items);
  const title = useRef<HTMLHeadingElement>(null);
  const canWrite = hasRole("admin", "trainer");
  const remove = async (pinId: string) => {
    try {
      await api.deletePin({ id: pinId });
    } catch (error) {
      // Somebody else took it away.
      if (!isGone(error)) return tell(tellProblem(error), true);
    }
    title.current?.focus();
    return pinsChanged(path);
  };
  return (
    <section className="part pins" aria-labelledby="pins">
      <h3 id="pins" ref={title} tabIndex={-1}>
        {k("pins")}
      </h3>
      <p className="hint">{k("pins.hint")}</p>
      <QueryResult of={{ data: items, error: pins.error, refetch: pins.refetch }}>
        {(found) => (
          <>
            {!found.length && <p className="quiet">{k(canWrite ? "pins.none" : "pins.noneRead")}</p>}
            <ul className="pin-list">
              {found.map((one) => (
                <li key={one.pinId}>
                  <span dir="auto">{straight(one.question)}</span>
                  {canWrite && (
                    <button type="button" className="remove" aria-label={k("pins.remove", { question: straight(one.question) })} onClick={() => void remove(one.pinId)}>
                      <Icon name="close" />
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </QueryResult>
      <LoadMore of={pins} />
      {canWrite && <NewPin path={path} />}
    </section>
  );
}

function NewPin({ path }: { path: string }): ReactNode {
  const form = useForm({
    name: `pin ${path}`,
    initial: { question: "" },
    save: async ({ question }, key) => {
      await pin(path, question.trim(), key);
      form.set({ question: "" });
    },
  });
  return (
    <Form form={form}>
      <div className="pin-new">
        <Field name="question" label={k("pins.new")} value={form.values.question} change={(question) => form.set({ question })} maxLength={MAX_CHARS} />
        <Button type="submit" isDisabled={!form.values.question.trim() || form.isBusy}>
          {k("pins.add")}
        </Button>
      </div>
    </Form>
  );
}
