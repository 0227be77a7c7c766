// Images of entries, in answers and articles: loaded late, from https alone, without telling where the reader is. Until
// then, and if one is not shown, it is a link of the class `image`; its place has its size before it comes.

import type { h } from "./dom";

/** The parts that this one uses of whoever loads it. */
export interface PictureTools {
  h: typeof h;
}

export interface PictureTexts {
  openImage: string;
  closeImage: string;
  noImage: string;
}

const MAX_ADDRESS = 2_000;

/** Shows the images below `within`; nothing stands for one that is not `allowed`, since no text is about it. */
export function pictures(within: ParentNode, allowed: boolean | undefined, texts: PictureTexts, tools: PictureTools): void {
  const { h } = tools;
  for (const link of within.querySelectorAll<HTMLAnchorElement>("a.image")) {
    // A link of an image is the image.
    const around = link.parentElement?.closest("a");
    around?.replaceWith(...around.childNodes);
    const told = link.textContent!.trim();
    // One without a description bears its address.
    const alt = told === link.href ? "" : told;
    if (!allowed || !isSafe(link.href)) {
      link.remove();
      continue;
    }
    const shown = h("img", {
      alt,
      referrerpolicy: "no-referrer",
      loading: "lazy",
      decoding: "async",
      draggable: "false",
      src: link.href,
    });
    const label = alt ? `${texts.openImage}: ${alt}` : texts.openImage;
    const open = h("button", { type: "button", class: "image", "aria-label": label, "aria-haspopup": "dialog" }, shown);
    open.addEventListener("click", () => view(open, link.href, alt, texts, tools));
    shown.addEventListener("error", () => open.replaceWith(h("span", { class: "image gone", role: "img", "aria-label": alt || texts.noImage }, alt || texts.noImage)));
    link.replaceWith(open);
  }
}

/** Whether an image of this address is loaded: the service's rule, and the browser's reading of the address. */
function isSafe(address: string): boolean {
  const { protocol, username, password } = new URL(address);
  return protocol === "https:" && !username && !password && address.length <= MAX_ADDRESS;
}

/** Shows an image as large as the window allows; Escape, its button and the space beside it close it. */
function view(from: HTMLElement, src: string, alt: string, texts: PictureTexts, { h }: PictureTools): void {
  const dialog = h(
    "dialog",
    { class: "viewer", "aria-label": alt || texts.openImage },
    h("button", { type: "button", class: "shut", autofocus: true }, texts.closeImage),
    h("img", { alt, referrerpolicy: "no-referrer", decoding: "async", src }),
    ...(alt ? [h("p", { dir: "auto" }, alt)] : []),
  );
  // Shortcuts of the page around it are not meant.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || (event.target as Element).localName === "button") dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    from.focus();
  });
  from.after(dialog);
  dialog.showModal();
}
