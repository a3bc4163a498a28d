import { postgres } from '../../runtime/src/dialect/postgres/dialect.js';
import type { Filter, Intent, ReadIntent, RootField, Selection, Value } from '../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../runtime/src/plan/intent-form.js';
import { createPrepare } from '../../runtime/src/server/prepare.js';
import type { Registry } from '../../runtime/src/descriptor/registry.js';
import type { RawRow } from '../../runtime/src/plan/statement.js';
import { runStatement } from '../../runtime/src/execute/run-statement.js';
import type { Driver, Identity } from '../../runtime/src/dialect/driver.js';
import { joined } from '../../runtime/src/joined.js';
import { documentText } from '../../runtime/src/dialect/document-text.js';
import type { Settings } from '../../runtime/src/settings/settings.js';
import { boardRegistry, tableOf } from './registry.js';
import { settingsWith } from './settings.js';

export { settingsWith } from './settings.js';

/** A constant value, in the form of GraphQL (`json`) or REST (`text`). */
export const json = (value: unknown): Value => ({ read: () => value, form: 'json' });
export const raw = (value: unknown): Value => ({ read: () => value, form: 'text' });

export const columns = (...names: string[]): Selection[] =>
  names.map((name) => ({ kind: 'column', as: name, column: name }));

export const compare = (column: string, operator: string, ...values: Value[]): Filter => ({
  kind: 'compare',
  column,
  operator,
  values,
});

/** A read of a table of the board. */
export const read = (table: string, select: readonly Selection[], rest: Partial<ReadIntent> = {}): ReadIntent => ({
  table: tableOf(boardRegistry, table),
  select,
  form: graphqlForm,
  ...rest,
});

export interface Runner {
  /** The JSON answer of a GraphQL document. */
  readonly document: (fields: readonly RootField[], inputs?: unknown) => Promise<unknown>;
  /** The rows of one list of a document. */
  readonly list: (intent: ReadIntent, inputs?: unknown) => Promise<readonly Record<string, unknown>[]>;
  readonly run: (intent: Intent, inputs?: unknown, identity?: Identity) => Promise<readonly RawRow[]>;
}

/** Plans, compiles and runs intents as the server does. */
export function runner(
  driver: Driver,
  registry: Registry = boardRegistry,
  settings: Settings = settingsWith(),
): Runner {
  const prepare = createPrepare({ registry, settings, dialect: postgres });
  const run: Runner['run'] = (intent, inputs = {}, identity = {}) =>
    runStatement(driver, prepare(intent), inputs, identity);
  const document: Runner['document'] = async (fields, inputs) => {
    const [row] = await run({ kind: 'document', fields }, inputs);
    const names = fields.map(({ as }) => as);
    return JSON.parse(joined(documentText(names, row)).toString()) as unknown;
  };
  return {
    run,
    document,
    list: async (intent, inputs) => {
      const { rows } = (await document([{ kind: 'list', as: 'rows', read: intent }], inputs)) as {
        rows: Record<string, unknown>[];
      };
      return rows;
    },
  };
}
