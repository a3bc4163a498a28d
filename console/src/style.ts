import { diagramStyle } from './diagram/svg.js';
import { controls, header, palette, withoutMotion } from './header-style.js';

/** The only style sheet of the console's pages. */
export const styleSheet = `${palette}${withoutMotion}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
${controls}${header}main:focus { outline: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem; } h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .4rem 0; }
code, pre, textarea, .path { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: .7rem; margin: .4rem 0; overflow: auto; max-height: 26rem; }
.soft { color: var(--soft); } .good { color: var(--good); font-weight: 600; } .null { color: var(--soft); font-style: italic; }
.loading { padding: 2rem; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; } .menu { display: none; }
.columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
.side { position: sticky; top: 3.2rem; height: calc(100vh - 3.2rem); overflow: auto; padding: 1rem; border-right: 1px solid var(--edge); background: var(--box); }
.side input { width: 100%; } .side p { margin: .3rem .5rem 0; font-size: .85rem; }
.list ul { list-style: none; margin: .2rem 0; padding: 0; } .list li { margin: 0; } .side h2 { font-size: 1rem; margin: 1rem .5rem .2rem; } .side h3 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: .6rem .5rem 0; }
.list a { display: flex; justify-content: space-between; align-items: baseline; gap: .5rem; padding: .22rem .5rem; border-radius: 5px; color: var(--ink); overflow-wrap: anywhere; }
.list a:hover { background: var(--code); text-decoration: none; } .list a[aria-current] { background: var(--mark); font-weight: 600; }
.list small { color: var(--soft); font-weight: 400; white-space: nowrap; }
main { padding: 1.5rem 2rem 4rem; min-width: 0; }
article { max-width: 76rem; }
.badge { display: inline-block; vertical-align: middle; font: 600 .75rem/1.5 system-ui, sans-serif; padding: .05rem .5rem; border-radius: 99px; background: var(--mark); color: var(--ink); }
.badge.key { color: var(--key); margin-right: .3rem; } .badge.write { color: var(--bad); margin-left: .3rem; }
td:last-child { min-width: 12rem; } .names { color: var(--soft); }
.tabs { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; margin: 1rem 0 1.2rem; border-bottom: 1px solid var(--edge); }
.tabs a { padding: .35rem 0; } .tabs a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: 0 2px 0 var(--accent); }
.scroll { overflow: auto; background: var(--box); border: 1px solid var(--edge); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; font-weight: 600; color: var(--soft); background: var(--box); white-space: nowrap; }
th, td { padding: .4rem .8rem; border-bottom: 1px solid var(--edge); vertical-align: top; } tbody tr:last-child td { border-bottom: 0; }
td code.type { white-space: nowrap; } .rows td { max-width: 22rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .rows td { font-variant-numeric: tabular-nums; }
ul, ol { padding-left: 1.3rem; } li { margin: .2rem 0; }
.filters, .bar, .bar form, .line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; } .bar form, .bar .actions { margin: 0; }
.line { flex-wrap: nowrap; } .path { flex: 1; min-width: 0; }
.chip { background: var(--mark); border-radius: 99px; padding: .15rem .8rem; }
.headers { display: flex; flex-wrap: wrap; gap: .4rem; }
.runner { background: var(--box); border: 1px solid var(--edge); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.cards { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .8rem; margin: 1.2rem 0; } .cards li { margin: 0; }
.card { display: flex; flex-direction: column; height: 100%; padding: .8rem 1rem; background: var(--box); border: 1px solid var(--edge); border-radius: 8px; } .card span { color: var(--soft); font-size: .9rem; }
.card:hover { border-color: var(--accent); text-decoration: none; }
.tasks { padding-left: 1.5rem; } .tasks > li { margin: 1.6rem 0; } .tasks > li::marker { font-weight: 700; }
.answer .name { color: var(--link); } .answer .text { color: var(--good); font-weight: 400; } .answer .plain { color: var(--key); } .wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
.plan, .plan ul { list-style: none; padding-left: 1rem; border-left: 1px solid var(--edge); } summary { cursor: pointer; } ul.headers { flex-direction: column; padding-left: 0; list-style: none; } .messages pre { margin: 0; }
.unseen { position: absolute; left: -100rem; }
.small { padding: .05rem .5rem; font-size: .85rem; } .danger { color: var(--bad); border-color: var(--bad); }
.refusal { border-left: 4px solid var(--bad); background: var(--box); padding: .5rem .9rem; margin: .6rem 0; border-radius: 0 6px 6px 0; overflow-wrap: anywhere; }
.rows td[role=gridcell]:focus-visible { outline-offset: -2px; } .rows td:has(form) { max-width: none; overflow: visible; } .rows td.opener { width: 4rem; }
.cell-form, .value { display: flex; flex-wrap: wrap; gap: .3rem; align-items: center; } .cell-form textarea { min-width: 18rem; }
.filter { display: contents; } fieldset { display: flex; flex-wrap: wrap; gap: .1rem .8rem; border: 1px solid var(--edge); border-radius: 6px; padding: .1rem .7rem; margin: 0; } legend { font-size: .8rem; color: var(--soft); padding: 0 .3rem; }
.menu-box { position: relative; } .menu-box summary { list-style: none; } .menu-box > div { position: absolute; z-index: 1; background: var(--box); border: 1px solid var(--edge); border-radius: 8px; padding: .7rem; max-height: 60vh; overflow: auto; min-width: 15rem; max-width: 85vw; }
.chooser { list-style: none; padding: 0; margin: 0 0 .5rem; } .chooser li { display: flex; gap: .3rem; align-items: center; } .chooser label { flex: 1; }
dialog.panel { margin: 0 0 0 auto; height: 100vh; max-height: none; width: 34rem; max-width: 100vw; border-radius: 0; padding: 1rem 1.3rem; overflow: auto; overflow-wrap: anywhere; } .panel .bar { justify-content: space-between; flex-wrap: nowrap; align-items: start; } .panel h2 { margin: 0; } .panel h3 { margin-top: 1.5rem; }
.row-form .field { margin: .8rem 0; display: flex; flex-direction: column; gap: .2rem; } .row-form .value > :first-child { flex: 1; min-width: 8rem; } .fixed { color: var(--soft); } .row-form > .actions { position: sticky; bottom: -1rem; background: var(--box); padding: .6rem 0; margin: 0; } .row-form .value small { flex-basis: 100%; }
.combo { position: relative; display: inline-block; } .combo input { width: 100%; } .options { position: absolute; z-index: 3; left: 0; min-width: 100%; max-width: 80vw; max-height: 15rem; overflow: auto; list-style: none; margin: 0; padding: .2rem; background: var(--box); border: 1px solid var(--line); border-radius: 6px; } .options[hidden] { display: none; }
.options li { margin: 0; padding: .2rem .5rem; border-radius: 4px; cursor: pointer; } .options li[aria-selected=true], .options li:hover { background: var(--mark); }
.diagram-page { max-width: none; }
${diagramStyle}
.frame { margin: 0; background: var(--page); } .frame:fullscreen { padding: .6rem; display: flex; flex-direction: column; } .frame:fullscreen .canvas { flex: 1; }
main:has(.diagram-page) { padding: .9rem 1rem; } .diagram-page header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; } .frame input[type=search] { width: 11rem; }
.canvas { position: relative; height: calc(100vh - 11.2rem); min-height: 24rem; background: var(--box); border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; }
.canvas svg { width: 100%; height: 100%; display: block; cursor: grab; touch-action: none; user-select: none; }
.legend { position: absolute; left: .6rem; bottom: .6rem; background: var(--box); padding: .3rem .5rem; } .hint { position: absolute; right: .8rem; bottom: .4rem; margin: 0; font-size: .8rem; color: var(--soft); pointer-events: none; } .legend label { display: inline-flex; gap: .35rem; align-items: center; border: 1px solid var(--edge); border-radius: 99px; padding: .05rem .7rem; color: var(--ink); } ${Array.from({ length: 6 }, (_, at) => `.legend .s${String(at)} { background: var(--s${String(at)}); }`).join(' ')}
g.table { cursor: grab; } g.table:hover .box, g.table:focus-visible .box, g.centre .box { stroke: var(--accent); stroke-width: 2; } g.table:focus { outline: none; } path.line.near { stroke: var(--accent); stroke-width: 2.2; }
@media (forced-colors: active) {
  .box { fill: Canvas; stroke: CanvasText; } .head { fill: Canvas; stroke: CanvasText; } .line, .mark, path.line { stroke: CanvasText; } .diagram text { fill: CanvasText; } g.table:focus-visible .box, g.centre .box, path.line.near { stroke: Highlight; stroke-width: 3; }
  .list a[aria-current], .tabs a[aria-current] { outline: 1px solid; }
}
@media (max-width: 52rem) {
  .hint { display: none; }
  .columns { display: block; } .menu { display: inline-block; }
  .side { display: none; position: static; height: auto; max-height: 60vh; border-right: 0; border-bottom: 1px solid var(--edge); } .open .side { display: block; }
  main { padding: 1rem .8rem 3rem; } .scroll td { min-width: 7rem; } .canvas { height: 65vh; }
}
.card, button, .button { transition: background .12s, border-color .12s; }
`;
