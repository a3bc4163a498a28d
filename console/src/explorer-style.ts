/**
 * Fits Swagger UI into the console, after its own style sheet: the console's letters and colours,
 * and a contrast of 4.5 to 1 for the texts that are paler there.
 */
export const explorerStyleSheet = `
main { max-width: 80rem; margin: 0 auto; }
.actions select { max-width: 100%; }
.operations { margin-top: 1rem; }
.operations:not(.errors) .responses-table:not(.live-responses-table) tr:is([data-code^="4"], [data-code^="5"], [data-code=default]) { display: none; }
button[aria-pressed=true] { background: var(--mark); }
.swagger-ui, .swagger-ui :is(p, td, th, h3, h4, h5, label, small, button, select, input, .opblock-tag, .opblock-summary-description, .tablinks, .parameter__name) { font-family: system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--ink); }
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui .information-container, .swagger-ui .scheme-container { display: none; }
.swagger-ui .opblock-tag { font-size: 1.1rem; border-color: var(--edge); margin: 0; } .swagger-ui .opblock-tag:hover { background: var(--code); }
.swagger-ui .opblock { background: var(--box); border-color: var(--edge); box-shadow: none; margin: 0 0 .6rem; --method: #1f5f99; }
.swagger-ui .opblock .opblock-summary { border-color: var(--edge); } .swagger-ui .opblock .opblock-section-header { background: var(--code); box-shadow: none; }
.swagger-ui .opblock .opblock-summary .opblock-summary-method { background: var(--method); color: #fff; text-shadow: none; font: 700 .8rem/1.5 system-ui, sans-serif; }
.swagger-ui .opblock.opblock-post { --method: #1d6b3c; } .swagger-ui .opblock:is(.opblock-patch, .opblock-put) { --method: #7a4b00; } .swagger-ui .opblock.opblock-delete { --method: #a32020; }
.swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path a { color: var(--ink); } .swagger-ui .opblock .opblock-summary-description { color: var(--soft); }
.swagger-ui :is(.parameter__type, .parameter__in, .parameter__deprecated, .response-col_links, .prop-format, .prop-type, .model, .renderedMarkdown, .response-control-media-type__title, .response-control-media-type__accept-message) { color: var(--soft); }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: var(--bad); }
.swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--code); color: var(--ink); font-weight: 400; }
.swagger-ui :is(table thead tr td, table thead tr th, .col_header) { background: none; color: var(--soft); border-color: var(--edge); } .swagger-ui table :is(td, th) { border-color: var(--edge); }
.swagger-ui table.headers td { padding: .2rem .8rem .2rem 0; font-weight: 400; } .swagger-ui .parameters-col_description { width: 70%; }
.swagger-ui :is(input[type=text], textarea, select) { background: var(--box); color: var(--ink); border: 1px solid var(--line); box-shadow: none; } .swagger-ui textarea { font: 13px/1.5 ui-monospace, monospace; }
.swagger-ui .btn { transition: none; background: var(--box); color: var(--ink); border: 1px solid var(--line); box-shadow: none; } .swagger-ui .btn.cancel { color: var(--bad); border-color: var(--bad); }
.operations .swagger-ui .btn.execute, .swagger-ui .download-contents { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.swagger-ui pre, .swagger-ui .microlight { background: #1b222c !important; color: #f2f4f7; max-height: 26rem; } .swagger-ui pre code, .swagger-ui pre code * { background: none; padding: 0; } .swagger-ui pre :is(code, code > span:not([style])) { color: #f2f4f7; }
.swagger-ui .arrow { fill: currentcolor; } .swagger-ui svg { fill: currentcolor; }
.swagger-ui .response-control-media-type--accept-controller select { border-color: var(--line); }
.swagger-ui .loading-container { min-height: 6rem; }
html.dark-mode { background: var(--page); } html.dark-mode .operations .swagger-ui { background: none; } html.dark-mode .operations .swagger-ui .btn.execute { background: var(--accent); color: var(--on-accent); } html.dark-mode .operations .swagger-ui .btn.cancel { color: var(--bad); border-color: var(--bad); background: var(--box); } html.dark-mode .swagger-ui table.headers td.header-col, html.dark-mode .swagger-ui table.headers td.header-col * { color: var(--ink); }
.swagger-ui .copy-to-clipboard { background: #39434f; }
@media (max-width: 52rem) {
  .swagger-ui .opblock .opblock-summary { padding: .3rem; } .swagger-ui .opblock .opblock-summary-description { display: none; } .swagger-ui .opblock .opblock-summary .opblock-summary-method { min-width: 4.2rem; padding: .35rem 0; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: .4rem; } .swagger-ui .try-out.btn-group { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; }
  .swagger-ui .table-container, .swagger-ui .responses-inner { padding: .6rem; overflow-x: auto; }
  .swagger-ui table.parameters tr { display: block; } .swagger-ui table.parameters :is(thead) { display: none; } .swagger-ui table.parameters td { display: block; width: auto; padding: .2rem 0; border: 0; } .swagger-ui table.parameters tr { border-bottom: 1px solid var(--edge); padding: .5rem 0; }
  .swagger-ui :is(input[type=text], textarea, select) { width: 100%; max-width: 100%; min-width: 0; }
  .swagger-ui .response-col_links { display: none; }
}
`;
