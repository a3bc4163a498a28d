import type { Settings } from '../../templates/runtime/settings.js';
import type { Model } from '../model/model.js';
import { moduleOf, type EmitContext } from './context.js';
import { emitDatabase } from './database/database.js';
import { homesOf } from './graphql/modules.js';
import { defineTable, tableContext, type TableDefinitions } from './graphql/table.js';
import { emitOpenapi } from './openapi/openapi.js';
import { emitIndex } from './project/index-file.js';
import { emitSchema } from './project/schema-file.js';
import { emitSettings } from './project/settings.js';
import { emitComposites } from './schema/composites.js';
import { emitEnums } from './schema/enums.js';
import { emitSchemaIndex } from './schema/index-file.js';
import { emitProcedures } from './schema/procedures.js';
import { emitShared, sharedDefinitions } from './shared/files.js';
import { emitTable } from './table/table.js';

/** What a project is made of besides the model. */
export interface EmitInputs {
  /** The runtime's files, by path below `runtime/`. */
  readonly runtime: ReadonlyMap<string, string>;
  /** The text of catalog.json. */
  readonly catalog: string;
  /** The catalogue's fingerprint. */
  readonly fingerprint: string;
  /** Settings of the configuration file, without secrets. */
  readonly settings: Partial<Settings>;
}

/**
 * Every file of a generated project but the manifest, by path below `src/generated`. Pure: equal models give equal texts, each
 * already in the form Prettier gives it.
 */
export function emitProject(model: Model, inputs: EmitInputs): ReadonlyMap<string, string> {
  const context = createContext(model);
  const files = new Map<string, string>([
    ['catalog.json', inputs.catalog],
    ['database.ts', emitDatabase(model)],
    ['index.ts', emitIndex(context, inputs.fingerprint)],
    ['openapi.json', emitOpenapi(model)],
    ['schema.graphql', emitSchema(context)],
    ['settings.ts', emitSettings(inputs.settings)],
    ...emitShared(context),
  ]);
  for (const table of model.tables) files.set(`${moduleOf(table)}.ts`, emitTable(context, table));
  for (const schema of model.schemas) {
    files.set(`${schema.folder}/index.ts`, emitSchemaIndex(context, schema));
    const parts = {
      enums: emitEnums(context, schema),
      composites: emitComposites(context, schema),
      procedures: emitProcedures(context, schema),
    };
    for (const [name, text] of Object.entries(parts)) {
      if (text !== undefined) files.set(`${schema.folder}/${name}.ts`, text);
    }
  }
  for (const [path, text] of inputs.runtime) files.set(`runtime/${path}`, text);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function createContext(model: Model): EmitContext {
  const tables = tableContext(model);
  const shown = model.tables.filter((table) => table.graphql);
  const definitions = new Map<string, TableDefinitions>(
    shown.map((table) => [table.descriptor.field, defineTable(tables, table)]),
  );
  const modules = new Map<string, readonly string[]>();
  for (const table of shown) {
    const classes = definitions.get(table.descriptor.field)?.classes ?? [];
    modules.set(
      moduleOf(table),
      classes.map((each) => each.name),
    );
  }
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
  return { model, tables: tables.tables, homes: homesOf(model, modules), definitions };
}
