import type { Filter, Intent, ReadIntent, RootField, Selection, Value } from '../../templates/runtime/plan/intent.js';
import { createPrepare } from '../../templates/runtime/plan/prepare.js';
import type { Registry } from '../../templates/runtime/registry.js';
import type { RawRow } from '../../templates/runtime/session/statement.js';
import { runStatement } from '../../templates/runtime/session/session.js';
import type { Driver, Identity } from '../../templates/runtime/session/driver.js';
import { documentText } from '../../templates/runtime/statement/document.js';
import { settingDefinitions, type Settings } from '../../templates/runtime/settings.js';
import { reach } from './pooler.js';
import { boardRegistry, tableOf } from './registry.js';

/** Every setting at its default, but for these, and for a pooler that stands between the tests and their database. */
export function settingsWith(given: Partial<Settings> = {}): Settings {
  const defaults = Object.entries(settingDefinitions).flatMap(([key, definition]) =>
    'default' in definition ? [[key, definition.default] as const] : [],
  );
  const { 'app.datasource.url': url } = given;
  const { url: reached, pooler } = reach(url ?? '');
  const reaching = pooler === 'none' ? {} : { 'app.datasource.url': reached, 'app.datasource.pooler': pooler };
  return { ...(Object.fromEntries(defaults) as unknown as Settings), ...given, ...reaching };
}

/** A value that is always this one, as GraphQL (`json`) or REST (`text`) give it. */
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
  dialect: 'graphql',
  ...rest,
});

export interface Runner {
  /** The JSON a GraphQL document answers. */
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
  const prepare = createPrepare({ registry, settings });
  const run: Runner['run'] = (intent, inputs = {}, identity = {}) =>
    runStatement(driver, prepare(intent), inputs, identity);
  const document: Runner['document'] = async (fields, inputs) => {
    const [row] = await run({ kind: 'document', fields }, inputs);
    const names = fields.map(({ as }) => as);
    return JSON.parse(documentText(names, row)) as unknown;
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
