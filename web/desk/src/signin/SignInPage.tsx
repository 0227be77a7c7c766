// The page before somebody is signed in.

import { useState, type ReactNode } from "react";

import { useObservable } from "../store/observable";
import { Button } from "../ui/parts";
import { t } from "../ui/texts";
import type { Prompt } from "./oidc";
import { declineInvitation, goSignIn, signIn } from "./session";

export function SignInPage(): ReactNode {
  const { problem, account, invitation } = useObservable(signIn);
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (prompt?: Prompt) => {
    setLeaving(true);
    await goSignIn(prompt);
    // The page goes with the next one; if it stays, something is said.
    setTimeout(() => setLeaving(false), 3_000);
  };
  const canSignIn = problem !== "notConfigured";
  // The account is a member already: the invitation is for another account alone.
  const accepts = invitation && problem !== "bound";
  const declineAndLeave = () => (declineInvitation(), void leave());
  return (
    <main className="sign-in">
      <div className="card">
        <h1>{t("title")}</h1>
        <p>{accepts ? t("signIn.invited") : t("signIn.text")}</p>
        {problem !== "none" && (
          <p className="problem" role="alert">
            {t(`signIn.${problem}`)}
          </p>
        )}
        {account && <p>{t("signIn.as", { account })}</p>}
        {canSignIn && (
          <Button kind="primary wide" autoFocus isDisabled={isLeaving} onPress={accepts ? () => void leave() : declineAndLeave}>
            {accepts ? t("signIn.accept") : t("signIn.do")}
          </Button>
        )}
        {/* An invitation is good once: who opens its link again is a member already. */}
        {canSignIn && accepts && problem !== "none" && (
          <Button kind="wide" isDisabled={isLeaving} onPress={declineAndLeave}>
            {t("signIn.without")}
          </Button>
        )}
        {canSignIn && (problem === "notAMember" || problem === "bound") && (
          <Button kind="wide" isDisabled={isLeaving} onPress={() => void leave("select_account")}>
            {t("signIn.another")}
          </Button>
        )}
      </div>
    </main>
  );
}
