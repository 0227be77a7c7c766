// The problems of a form: in the person's words if this page knows the problem, in the service's otherwise.

import { ApiError, isUnreached, type ErrorDetail } from "../api/client";
import { codeOf, explain } from "../inbox/failures";
import { known, s } from "./texts";

/** The bounds that the service's sentence names, such as "7–3650". */
function limitOf(message = ""): string {
  return (message.match(/\d+(?:\.\d+)?/g) ?? []).slice(0, 2).join("–");
}

function sentenceOf({ code, field, message = "" }: ErrorDetail): string {
  const text = known("problem", `${code}.${field}`) ?? known("problem", code);
  const limit = limitOf(message);
  if (text && (limit || !text.includes("{limit}"))) return text.replace("{limit}", limit);
  return message ? `${message[0]?.toUpperCase() ?? ""}${message.slice(1)}.` : code;
}

export interface Problems {
  /** By the name of the field. */
  fields: Record<string, string>;
  /** The problem that is about no field of the form. */
  form: string | null;
  needsSignIn: boolean;
  isConflict: boolean;
}

export const NONE: Problems = { fields: {}, form: null, needsSignIn: false, isConflict: false };

/** `fields`: the names of the form's fields. A problem inside of one, such as `texts.greeting`, is at the nearest. */
export function problemsOf(error: unknown, fields: readonly string[] = []): Problems {
  if (!(error instanceof ApiError) || isUnreached(error)) return { ...NONE, form: explain(codeOf(error)) };
  if (error.code === "RECENT_SIGN_IN_REQUIRED") return { ...NONE, needsSignIn: true };
  if (error.status === 412) return { ...NONE, isConflict: true };
  const found: Problems = { ...NONE, fields: {} };
  const loose: string[] = [];
  for (const detail of error.details) {
    const [path, sentence] = [detail.field ?? FIELD_OF[detail.code] ?? "", sentenceOf(detail)];
    const field = nearest(path, fields);
    if (field) found.fields[field] ??= sentence;
    else loose.push(path && !known("problem", detail.code) ? `${path}: ${sentence}` : sentence);
  }
  if (loose.length) found.form = loose.join(" ");
  else if (!error.details.length) found.form = known("problem", error.code) ?? explain(codeOf(error));
  return found;
}

/** The field that a problem without one belongs to, if the form has it. */
const FIELD_OF: Record<string, string> = { MEMBER_EXISTS: "email", DUPLICATE_URL: "url", DUPLICATE_SHORTCUT: "shortcut" };

function nearest(path: string, fields: readonly string[]): string | null {
  const within = (field: string) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
  const found = fields.filter(within).sort((a, b) => b.length - a.length);
  return found[0] ?? null;
}

export const tellProblem = (error: unknown): string => {
  const { form, fields, needsSignIn, isConflict } = problemsOf(error);
  if (needsSignIn) return s("recent.text");
  if (isConflict) return s("conflict.short");
  return form ?? Object.values(fields)[0] ?? explain("UNKNOWN");
};
