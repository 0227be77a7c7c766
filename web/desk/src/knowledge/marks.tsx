// The marks of an entry: who may read it, its folders, its tags.

import type { ReactNode } from "react";

import { Select } from "../settings/parts";
import { Icon } from "../ui/parts";
import { straight } from "../ui/texts";
import { KnowledgeLink, listAt } from "./routes";
import { k } from "./texts";

export function EntryMarks({ of }: { of: { path: string; visibility: string; tags: string[] } }): ReactNode {
  return (
    <p className="entry-marks">
      <VisibilityMark of={of.visibility} />
      <Folders path={of.path} />
      {of.tags.map((tag) => (
        <KnowledgeLink key={tag} kind="mark tag" to={listAt({ tag })}>
          {straight(tag)}
        </KnowledgeLink>
      ))}
    </p>
  );
}

/** The choice of who may read what is written. */
export function VisibilityChoice({ value, problem, change }: { value: string; problem: string | undefined; change: (to: string) => void }): ReactNode {
  return (
    <Select
      label={k("entry.visibility")}
      value={value}
      options={(["internal", "public"] as const).map((one) => [one, k(`visibility.${one}`)])}
      hint={k(value === "public" ? "visibility.publicHint" : "visibility.internalHint")}
      problem={problem}
      change={change}
    />
  );
}

export function VisibilityMark({ of }: { of: string }): ReactNode {
  const isPublic = of === "public";
  return (
    <span className={`mark ${isPublic ? "good" : "closed"}`}>
      <Icon name={isPublic ? "person" : "lock"} />
      {isPublic ? k("visibility.public") : k("visibility.internal")}
    </span>
  );
}

/** A path whose folders lead to what is in them. */
function Folders({ path }: { path: string }): ReactNode {
  const parts = path.split("/");
  return (
    <span className="folders">
      {parts.slice(0, -1).map((part, index) => {
        const under = `${parts.slice(0, index + 1).join("/")}/`;
        return (
          <span key={under}>
            <KnowledgeLink to={listAt({ under })}>{part}</KnowledgeLink>/
          </span>
        );
      })}
      {parts.at(-1)}
    </span>
  );
}
