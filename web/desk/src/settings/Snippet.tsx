// The snippets that a company copies into its site: the element, and the route of its server that gives chat tokens.

import { useState, type ReactNode } from "react";

import snippets from "virtual:snippets";

import { CodeBlock, Select } from "./parts";
import { s, word } from "./texts";

const LANGUAGES = ["node", "python", "php"] as const;

/** The addresses of this service in place of the README's. */
const here = (text: string): string =>
  text.replaceAll("https://WIDGET-ADDRESS", location.origin).replaceAll("https://API-ADDRESS", location.origin);

export default function Snippet(): ReactNode {
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>("node");
  const env = `SUPPORT_API_URL=${location.origin}/api/v1\nSUPPORT_API_KEY=pk_live_…`;
  return (
    <>
      <CodeBlock label={s("snippet.page")} text={here(snippets.html)} />
      <p className="hint">{s("snippet.integrity")}</p>
      <Select
        kind="short"
        label={s("snippet.server")}
        value={language}
        options={LANGUAGES.map((one) => [one, word("snippetLanguage", one)])}
        change={(to) => setLanguage(to as "node")}
      />
      <p className="hint">{s("snippet.serverHint")}</p>
      <CodeBlock label={s("snippet.env")} text={env} />
      <CodeBlock label={word("snippetLanguage", language)} text={snippets[language]} />
    </>
  );
}

/** The address of the chat's main file in this version. */
export const chatAddress = (): string => /src="([^"]+)"/.exec(here(snippets.html))?.[1] ?? "";
