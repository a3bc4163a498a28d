import type { Registry, Table } from '../descriptor/registry.js';

/** The page at `/` outside production: what is served, with something to click on. `several`: more than one schema is served. */
export function indexPage(registry: Registry, several: boolean): string {
  const tables = registry.tables.slice(0, mostTables);
  const rest = registry.tables.length - tables.length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tablewright</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 3rem auto; padding: 0 1rem; color: #222; }
  code { background: #f2f2f2; padding: 0.1em 0.3em; }
  td { padding: 0.1rem 1.5rem 0.1rem 0; }
</style>
<h1>This server is running</h1>
<ul>
  <li><a href="/graphql">GraphQL</a>: try queries and read the schema</li>
  <li><a href="/api/v1">REST</a>: the OpenAPI description</li>
  <li><a href="/health/ready">Health</a></li>
</ul>
<h2>Tables</h2>
<table>
${tables.map((table) => row(table, several)).join('\n')}
</table>
${rest > 0 ? `<p>and ${String(rest)} more.</p>` : ''}
${several ? '<p>Several schemas are served: REST requests name theirs in the header <code>Accept-Profile</code>.</p>' : ''}
</html>
`;
}

const mostTables = 200;

/** A browser sends no profile header, so with several schemas a link would only lead to an error. */
function row(table: Table, several: boolean): string {
  const path = `/api/v1/${encodeURIComponent(table.name)}`;
  const rest = several ? `<code>${escape(path)}</code>` : `<a href="${escape(path)}">${escape(path)}</a>`;
  return `  <tr><td>${escape(table.schema)}.${escape(table.name)}</td><td>${rest}</td><td><code>${escape(table.field)}</code></td></tr>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
