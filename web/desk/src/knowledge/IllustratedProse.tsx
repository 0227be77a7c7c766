// An entry as a customer sees it, with its images, unless the tenant blocks them.

import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, type ReactNode } from "react";

import { h } from "../../../widget/src/dom";
import { pictures } from "../../../widget/src/pictures";
import { settingsQuery } from "../settings/data";
import { signIn } from "../signin/session";
import { useObservable } from "../store/observable";
import { Prose } from "../ui/parts";
import { k } from "./texts";
import "../../../widget/src/pictures.css";

export function IllustratedProse({ text }: { text: string }): ReactNode {
  const holder = useRef<HTMLDivElement>(null);
  // An admin who has just changed it sees that at once.
  const saved = useQuery({ ...settingsQuery, enabled: false }).data?.data.showsImages;
  const { desk } = useObservable(signIn);
  const shows = saved ?? desk?.tenant.showsImages;
  useLayoutEffect(() => {
    const texts = { openImage: k("image.open"), closeImage: k("image.close"), noImage: k("image.none") };
    pictures(holder.current!, shows, texts, { h });
  }, [text, shows]);
  return (
    <div ref={holder} className="illustrated">
      <Prose key={String(shows)} text={text} />
    </div>
  );
}
