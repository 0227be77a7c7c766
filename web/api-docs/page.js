// Styles that the viewer lets a page change by no variable: marks of the focus, contrast, and one scroll bar on phones.

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :focus-visible, .m-btn:focus-visible, .tab-btn:focus-visible, input[type=checkbox]:focus-visible { outline: 2px solid var(--primary-color) !important; outline-offset: 1px; }
  .m-btn { box-shadow: none; }
  .m-btn:hover, .m-btn:focus-visible { color: var(--primary-color); border-color: var(--primary-color); }
  .m-btn.primary, .m-btn.primary:hover, .m-btn.primary:focus-visible { color: var(--primary-btn-text-color); background-color: var(--primary-color); }
  .m-btn.outline-primary { border-color: var(--border-color); }
  .m-btn:disabled { opacity: 1; }
  .m-markdown, .m-markdown-small { max-width: 46rem; }
  .m-markdown a, .m-markdown-small a { text-decoration: underline; }
  .nav-bar { border-right: 1px solid var(--border-color); }
  .nav-bar.focused, .nav-scroll { border-top: 0; }
  .nav-bar-info { padding: 10px; }
  .nav-bar-tag { padding: 10px 12px 10px 10px; color: var(--nav-hover-text-color); text-transform: capitalize; }
  .nav-bar-section { border-color: var(--border-color); }
  #nav-bar-search { border-color: var(--border-color) !important; background: var(--input-bg) !important; }
  ::placeholder { color: var(--placeholder-color); opacity: 1; }
  .dialog-box { width: min(40rem, 92vw); max-height: calc(100vh - 120px); }
  .dialog-box-content { overflow: auto; }
  /* Each operation says in words who may call it. */
  .security-info-button { display: none; }
  @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
  @media (max-width: 767.98px) {
    .body, .main-content { height: auto; overflow: visible; }
    .main-content { min-width: 0; }
    .m-endpoint > .endpoint-head { padding: 10px 12px; }
    .m-endpoint .endpoint-body { border-left-width: 0; }
    table[role=presentation], table[role=presentation] :is(tbody, tr, td) { display: block; width: auto !important; max-width: none !important; }
    .param-name, .param-type { text-align: start; }
  }
`);
const viewer = document.querySelector("openapi-explorer");
viewer.addEventListener("spec-loaded", ({ detail }) => leaveOutLongPatterns(detail, new Set()));
await customElements.whenDefined("openapi-explorer");
viewer.shadowRoot.adoptedStyleSheets.push(sheet);
// The parts of the viewer have trees of their own, which are made after the document was read.
for (const part of ["api-request", "api-response", "schema-tree", "schema-table", "json-tree", "request-form-table", "syntax-highlighter", "tag-input"])
  customElements.get(part)?.elementStyles.push(sheet);
new MutationObserver(describe).observe(viewer.shadowRoot, { childList: true, subtree: true });

/** A pattern of several lines, such as that of a text without control characters, tells a reader nothing. */
function leaveOutLongPatterns(value, seen) {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (typeof value.pattern === "string" && value.pattern.length > 60) delete value.pattern;
  for (const part of Object.values(value)) leaveOutLongPatterns(part, seen);
}

/** Parts that scroll are reached by keyboard, and the viewer's search says that it is a dialog. */
function describe() {
  viewer.shadowRoot.querySelector("main")?.setAttribute("tabindex", "0");
  const dialog = viewer.shadowRoot.querySelector(".dialog-box");
  if (!dialog || dialog.role) return;
  const marks = { role: "dialog", "aria-modal": "true", "aria-label": "Search" };
  for (const [name, value] of Object.entries(marks)) dialog.setAttribute(name, value);
  dialog.querySelector("header").setAttribute("role", "presentation");
  dialog.querySelector("header button").setAttribute("aria-label", "Close");
  dialog.querySelector("#advanced-search-dialog-input").setAttribute("aria-label", "Search");
}
