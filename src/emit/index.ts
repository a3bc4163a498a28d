import {
  type Model,
  type Settings,
  type TableModel,
  type TableDefinitions,
  changeType,
  defineTable,
  emitOpenapi,
  shownTables,
  sourceOfModel,
  tableContext,
} from '@tablewright/runtime/model';
import { emitSupabase } from './clients/supabase.js';
import type { EmitContext } from './context.js';
import { moduleOf } from './table-module.js';
import { emitDatabase } from './database/database.js';
import { homesOf } from './graphql/modules.js';
import { emitAgentsFile } from './project/agents-file.js';
import { emitIndex } from './project/index-file.js';
import { changedTables, emitSchema, typesOf } from './project/schema-file.js';
import { emitRules } from './project/rules.js';
import { emitSettings } from './project/settings.js';
import { emitComposites } from './schema/composites.js';
import { emitEnums } from './schema/enums.js';
import { emitSchemaIndex } from './schema/index-file.js';
import { emitCallable } from './schema/callable.js';
import { emitFunctions } from './schema/functions.js';
import { emitProcedures } from './schema/procedures.js';
import { emitShared, sharedDefinitions } from './shared/files.js';
import { emitTable } from './table/table.js';

/** The inputs of a project, in addition to the model. */
export interface EmitInputs {
  /** The text of catalog.json. */
  readonly catalog: string;
  /** The configured schemas; absent: every schema except those of the database system. */
  readonly schemas?: readonly string[] | undefined;
  /** Settings of the configuration file, without secrets. */
  readonly settings: Partial<Settings>;
}

/**
 * Every file of a generated project except the manifest, by path below `src/generated`. Pure: equal
 * models give equal texts, already formatted as Prettier does.
 */
export function emitProject(model: Model, inputs: EmitInputs): ReadonlyMap<string, string> {
  return inOrder(emitFiles(model, inputs));
}

/** The files by path, ordered by code point. */
export const inOrder = (files: Iterable<EmittedFile>): ReadonlyMap<string, string> =>
  new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));

export type EmittedFile = readonly [path: string, text: string];

/**
 * The files one by one, in no particular order. A thousand tables take seconds; between two files,
 * a caller can do other work.
 */
export function* emitFiles(model: Model, inputs: EmitInputs): Generator<EmittedFile> {
  const context = createContext(model);
  yield ['catalog.json', inputs.catalog];
  yield ['settings.ts', emitSettings(inputs.settings)];
  yield ['index.ts', emitIndex(context, inputs)];
  const { rules } = model.options;
  if (rules !== undefined) yield ['rules.ts', emitRules(rules)];
  for (const table of model.tables) yield [`${moduleOf(table)}.ts`, emitTable(context, table)];
  for (const schema of model.schemas) {
    yield [`${schema.folder}/index.ts`, emitSchemaIndex(context, schema)];
    const parts = {
      enums: emitEnums(context, schema),
      composites: emitComposites(context, schema),
      procedures: emitProcedures(context, schema),
      functions: emitFunctions(context, schema),
      callable: emitCallable(model, schema),
    };
    for (const [name, text] of Object.entries(parts)) {
      if (text !== undefined) yield [`${schema.folder}/${name}.ts`, text];
    }
  }
  yield* emitShared(context);
  yield ['database.ts', emitDatabase(model)];
  if (model.options.clients?.includes('supabase') === true) yield ['supabase.ts', emitSupabase(model)];
  if (model.options.agentsFile === true) yield ['AGENTS.md', emitAgentsFile(model)];
  if (model.options.apiDocuments === false) return;
  yield ['openapi.json', emitOpenapi(model)];
  yield ['schema.graphql', emitSchema(context, inputs.settings)];
}

/** The text of schema.graphql, and the table of each of its types. */
export interface GraphqlSchemaText {
  readonly text: string;
  /** Tables by the names of the types that are made for them. */
  readonly owners: ReadonlyMap<string, TableModel>;
}

/**
 * `schema.graphql` alone, for callers that compare it with another.
 * @param settings of the configuration file: a change feed adds subscriptions
 */
export function emitGraphqlSchema(model: Model, settings: Partial<Settings> = {}): GraphqlSchemaText {
  const definitions = definitionsOf(model);
  const owners = model.tables.flatMap((table) =>
    typesOf(table, definitions.get(table.descriptor.field)).map(({ name }) => [name, table] as const),
  );
  const changes = changedTables(model, settings).map((table) => [changeType(table.descriptor).name, table] as const);
  return { text: emitSchema({ model, definitions }, settings), owners: new Map([...owners, ...changes]) };
}

/** The definitions of the tables in GraphQL, by key. */
function definitionsOf(model: Model): ReadonlyMap<string, TableDefinitions> {
  const source = sourceOfModel(model);
  const context = tableContext(source);
  return new Map(shownTables(source).map((table) => [table.field, defineTable(context, table)]));
}

function createContext(model: Model): EmitContext {
  const modules = new Map<string, readonly string[]>();
  for (const schema of model.schemas) {
    const enums = model.enums.filter((each) => each.descriptor.schema === schema.name);
    const composites = model.composites.filter((each) => each.descriptor.schema === schema.name);
    modules.set(
      `${schema.folder}/enums`,
      enums.map((each) => each.descriptor.type),
    );
    modules.set(
      `${schema.folder}/composites`,
      composites.flatMap(({ descriptor }) => [descriptor.type, `${descriptor.type}Input`]),
    );
  }
  for (const [name, classes] of sharedDefinitions(model))
    modules.set(
      `shared/${name}`,
      classes.map((each) => each.name),
    );
  const tables = new Map(model.tables.map((table) => [table.descriptor.field, table]));
  return { model, tables, homes: homesOf(model, modules), definitions: definitionsOf(model) };
}
