/** Colours have a contrast of 4.5 to 1 at least, in light and in dark. */
export const palette = `
:root { color-scheme: light dark;
  --page: #f7f8fa; --box: #fff; --head: #e8eef7; --ink: #1b2430; --soft: #566272; --edge: #d5dbe3; --line: #7a8798; --key: #8a5a00;
  --link: #0b5cad; --accent: #0b5cad; --on-accent: #fff; --good: #17692f; --bad: #b3261e; --mark: #e3edf9; --code: #eef1f5; }
@media (prefers-color-scheme: dark) { :root {
  --page: #10151b; --box: #171e26; --head: #223044; --ink: #e6ebf2; --soft: #9fabba; --edge: #2e3946; --line: #6f8096; --key: #e0b15a;
  --link: #7db8f5; --accent: #7db8f5; --on-accent: #0c1620; --good: #6fce8a; --bad: #ff9a92; --mark: #20324a; --code: #212a35; } }
`;

/** Also for what third-party programs move: Swagger UI, GraphiQL, Monaco. */
export const withoutMotion = `
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; } }
`;

/** Links, buttons, fields and dialogs. */
export const controls = `
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button, .button, select, input, textarea { font: inherit; color: var(--ink); background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .7rem; }
textarea { width: 100%; display: block; font: 13px/1.5 ui-monospace, monospace; margin: .4rem 0; resize: vertical; }
button, .button { cursor: pointer; display: inline-block; } button:hover, .button:hover { background: var(--mark); text-decoration: none; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; } .primary:hover { background: var(--accent); filter: brightness(1.1); }
input::placeholder, textarea::placeholder { color: var(--soft); opacity: 1; }
dialog { border: 1px solid var(--edge); border-radius: 10px; background: var(--box); color: var(--ink); max-width: 34rem; width: 90vw; } dialog h2 { margin-top: 0; } dialog label.field { display: flex; flex-direction: column; margin: .6rem 0; } dialog::backdrop { background: #0008; }
.bad { color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; }
`;

/** The header of every page. */
export const header = `
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.2rem; min-height: 3.2rem; padding: .4rem 1.2rem; background: var(--box); border-bottom: 1px solid var(--edge); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
.top, .top * { box-sizing: border-box; }
.top nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; } .top nav a[aria-current] { color: var(--ink); font-weight: 600; }
.top .brand { font-weight: 700; font-size: 1.05rem; color: var(--ink); }
.caller { margin-left: auto; display: flex; gap: .5rem; align-items: center; }
@media (forced-colors: active) { .top nav a[aria-current] { outline: 1px solid; } }
@media (max-width: 52rem) {
  .top { padding: .4rem .8rem; gap: .4rem .9rem; } .top nav { order: 3; } .caller select { max-width: 9rem; } .caller label { font-size: .85rem; }
}
`;

/** The style sheet of pages that have the header and styles of their own: GraphiQL, a board. */
export const headerStyleSheet = `${palette}${withoutMotion}.top { ${controls} }\n${header}`;
