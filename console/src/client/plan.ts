/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { element, type Child } from './dom.js';
import { memberOf, messageOf, send, type ApiRequest } from './requests.js';

/** Rows that a sequential scan may read before the page proposes an index. */
const longScan = 1_000;

/** A node of PostgreSQL's plan: https://www.postgresql.org/docs/current/using-explain.html */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Index Cond'?: string;
  readonly 'Plan Rows'?: number;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Actual Total Time'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Whether the server answers plans of a request: of REST, where its settings allow it. */
export const hasPlan = (model: ConsoleModel, { path }: ApiRequest): boolean =>
  model.postgrest?.plans === true && path.startsWith('/api/v1/');

/** The statement of a request and its plan, measured. A write is rolled back. */
export async function planOf(model: ConsoleModel, request: ApiRequest): Promise<Child> {
  const path = `${model.postgrest?.path ?? ''}/${request.path.slice('/api/v1/'.length)}`;
  const ask = (options: string): ReturnType<typeof send> => {
    const accept = `application/vnd.pgrst.plan+json; for="application/json"; options=${options}`;
    return send({ ...request, path, headers: { ...request.headers, Accept: accept } });
  };
  const measured = await ask('analyze|verbose|statement');
  // MariaDB has plans without measures.
  const answer = measured.status === 406 ? await ask('statement') : measured;
  if (answer.status >= 400) return element('p', { class: 'bad' }, messageOf(answer));
  // Measures are plain numbers here.
  const document = JSON.parse(answer.text) as unknown;
  const statements = memberOf(document, 'statements');
  const plan = memberOf(document, 'plan');
  const root = Array.isArray(plan) ? (memberOf(plan[0], 'Plan') as PlanNode | undefined) : undefined;
  return [
    Array.isArray(statements) ? statements.map(statementOf) : undefined,
    root === undefined
      ? element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Plan' }, JSON.stringify(plan, undefined, 2))
      : [
          nodesOf(root).flatMap((node) => warningOf(model, node) ?? []),
          element('ul', { class: 'plan', 'aria-label': 'Plan' }, nodeItem(root)),
        ],
  ];
}

function statementOf(statement: unknown): Child {
  const [text, values] = [memberOf(statement, 'text'), memberOf(statement, 'values')];
  return [
    element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Statement', class: 'wrap' }, String(text)),
    Array.isArray(values) && values.length > 0
      ? element(
          'p',
          {},
          'Parameters: ',
          values.map((value, at) => [element('code', {}, `$${String(at + 1)} = ${JSON.stringify(value)}`), ' ']),
        )
      : undefined,
  ];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function nodeItem(node: PlanNode): HTMLElement {
  const loops = node['Actual Loops'] ?? 1;
  const time = node['Actual Total Time'];
  const rows = node['Actual Rows'] ?? node['Plan Rows'] ?? 0;
  const condition = node['Index Cond'] ?? node.Filter;
  return element(
    'li',
    {},
    element('strong', {}, node['Node Type']),
    node['Relation Name'] === undefined ? undefined : ` of ${node['Relation Name']}`,
    node['Index Name'] === undefined ? undefined : ` by ${node['Index Name']}`,
    element(
      'span',
      { class: 'soft' },
      ` ${String(Math.round(rows * loops))} rows${time === undefined ? '' : `, ${(time * loops).toFixed(2)} ms`}`,
    ),
    condition === undefined ? undefined : [' ', element('code', {}, condition)],
    node.Plans === undefined ? undefined : element('ul', {}, node.Plans.map(nodeItem)),
  );
}

/** A scan of many rows for few of them, and the index that would find those. */
function warningOf(model: ConsoleModel, node: PlanNode): Child | undefined {
  const removed = node['Rows Removed by Filter'] ?? 0;
  const loops = node['Actual Loops'] ?? 1;
  if (!node['Node Type'].endsWith('Seq Scan') || removed * loops < longScan) return undefined;
  const table = model.tables.find(({ name, schema }) => name === node['Relation Name'] && schema === node.Schema);
  const columns = table === undefined ? [] : comparedColumns(table, node.Filter ?? '');
  return element(
    'div',
    { class: 'refusal' },
    element(
      'p',
      {},
      `A sequential scan of ${node['Relation Name'] ?? ''} reads ${String(Math.round(removed * loops))} rows that the filter removes.`,
    ),
    table === undefined || columns.length === 0
      ? undefined
      : element(
          'p',
          {},
          'An index finds the others: ',
          element(
            'code',
            {},
            `CREATE INDEX ON ${quoted(table.schema)}.${quoted(table.name)} (${columns.map(quoted).join(', ')})`,
          ),
        ),
  );
}

/** Columns that stand on the left of a comparison. */
const comparedColumns = ({ columns }: ConsoleTable, filter: string): readonly string[] =>
  columns
    .map(({ name }) => name)
    .filter((name) =>
      new RegExp(`(?:^|[.(\\s])"?${name.replace(/[^\w]/g, '\\$&')}"?\\)?(?:::[\\w\\s]+)?\\s(?:=|<|>|<=|>=)\\s`).test(
        filter,
      ),
    );

const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
