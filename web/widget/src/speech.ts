// The speech of a message for a screen reader: sentences, where the eye sees paragraphs, items and cells.

export function speech(body: Node): string {
  const holder = document.createElement("div");
  holder.append(body.cloneNode(true));
  for (const image of holder.querySelectorAll<HTMLAnchorElement>("a.image")) {
    if (image.textContent === image.href) image.remove();
  }
  for (const block of holder.querySelectorAll("p, pre, th, td")) {
    const text = block.textContent!.trim();
    block.append(/[\p{L}\p{N}\p{Pe}\p{Pf}"']$/u.test(text) ? ". " : " ");
  }
  return holder.textContent!.replace(/\s+/g, " ").trim();
}
