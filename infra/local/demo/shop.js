// The look of the demo shop: its policy allows no style sheet but a constructed one. The page waits for it, so that
// nothing moves when it comes.

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; --line: #d9dee0; --leaf: #1f6b3b; }
  html { background: light-dark(#fff, #14181c); color: light-dark(#1b2330, #e8ecf3); }
  body { margin: 0 auto; max-width: 960px; padding: 0 20px 40px; }
  header { display: flex; flex-wrap: wrap; gap: 0 16px; align-items: baseline; justify-content: space-between; border-bottom: 1px solid var(--line); }
  :where(support-chat) { --support-chat-accent: var(--leaf); }
  .brand { font-size: 22px; font-weight: 700; color: var(--leaf); margin: 16px 0; }
  h1 { font-size: 30px; line-height: 1.2; margin: 32px 0 20px; }
  .products { list-style: none; padding: 0; display: grid; gap: 20px; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); }
  .products li { border: 1px solid var(--line); border-radius: 14px; padding: 16px; }
  .products h2 { font-size: 18px; margin: 8px 0 0; }
  .products p { margin: 6px 0; }
  .picture { text-align: center; }
  .price { font-weight: 600; }
  .commands li { margin-bottom: 12px; }
  .command { position: relative; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; padding: 10px 84px 10px 12px; font-size: 13px; }
  button { position: absolute; inset-block-start: 6px; inset-inline-end: 6px; min-width: 68px; padding: 4px 10px; font: inherit; font-size: 13px; color: inherit; background: light-dark(#fff, #14181c); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
  a { color: inherit; }
  @media (prefers-color-scheme: dark) { :root { --line: #3b4445; --leaf: #7fd19b; } }
`);
document.adoptedStyleSheets = [sheet];

document.addEventListener("click", async ({ target }) => {
  if (!target.matches(".command button")) return;
  const copied = navigator.clipboard.writeText(target.nextElementSibling.textContent);
  target.textContent = await copied.then(() => "Copied", () => "Not copied");
});
