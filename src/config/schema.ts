import { z } from 'zod';
import {
  givenTypes,
  typedClients,
  type ModelOptions,
  type Names,
  problemOfRates,
  type SettingDefinition,
  type Settings,
  settingDefinitions,
} from '@tablewright/runtime/model';
import { ruleCodes } from '../doctor/codes.js';

const names = z.record(z.string(), z.string());

const renameSchema = z.strictObject({
  name: z.exactOptional(z.string()),
  field: z.exactOptional(z.string()),
  columns: z.exactOptional(names),
  relations: z.exactOptional(names),
  values: z.exactOptional(names),
});

const relationSchema = z.strictObject({
  columns: z.array(z.string()).min(1),
  table: z.string(),
  references: z.array(z.string()).min(1),
  name: z.exactOptional(z.string()),
});

const computedSchema = z.strictObject({ function: z.string(), columns: z.array(z.string()).min(1) });

const setSchema = z.union([z.string(), names]);

const procedureSchema = z.strictObject({ returns: z.union([setSchema, z.array(setSchema).min(1)]) });

/** The values of each part of `names`, the default first. */
const nameRules = {
  schemaPrefix: ['always', 'several', 'never'],
  columns: ['database', 'camel'],
  relations: ['contract', 'simple'],
} as const satisfies { readonly [Rule in keyof Names]-?: readonly NonNullable<Names[Rule]>[] };

const namesSchema = z.strictObject({
  schemaPrefix: z.exactOptional(z.enum(nameRules.schemaPrefix)),
  columns: z.exactOptional(z.enum(nameRules.columns)),
  relations: z.exactOptional(z.enum(nameRules.relations)),
});

const relaySchema = z.strictObject({ nodeId: z.exactOptional(z.string()) });

/** The generator checks the conditions against the catalogue. */
const ruleRows = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const roleRuleSchema = z.strictObject({
  read: z.exactOptional(ruleRows),
  write: z.exactOptional(ruleRows),
  hide: z.exactOptional(z.array(z.string())),
});

const ruleSchema = roleRuleSchema.extend({ roles: z.exactOptional(z.record(z.string(), roleRuleSchema)) });

const silenceSchema = z.strictObject({
  rule: z.enum(ruleCodes),
  objects: z.exactOptional(z.array(z.string())),
  reason: z.string().min(1),
});

const doctorSchema = z.strictObject({ ignore: z.exactOptional(z.array(silenceSchema)) });

/** A name in `exclude` that may match nothing: otherwise that is a mistake. */
const excludedSchema = z.strictObject({ name: z.string(), ifExists: z.literal(true) });

/** The keys that choose the input and the output of the generator. */
const generatorShape = {
  url: z.exactOptional(z.string()),
  schemas: z.exactOptional(listSchema()),
  out: z.exactOptional(z.string()),
  rename: z.exactOptional(z.record(z.string(), renameSchema)),
  exclude: z.exactOptional(z.array(z.union([z.string(), excludedSchema])).min(1)),
  functions: z.exactOptional(z.array(z.string())),
  computed: z.exactOptional(z.record(z.string(), z.record(z.string(), computedSchema))),
  procedures: z.exactOptional(z.record(z.string(), procedureSchema)),
  types: z.exactOptional(z.record(z.string(), z.enum(givenTypes))),
  notNull: z.exactOptional(z.array(z.string())),
  optional: z.exactOptional(z.array(z.string())),
  keys: z.exactOptional(z.record(z.string(), z.array(z.string()).min(1))),
  relations: z.exactOptional(z.record(z.string(), z.array(relationSchema))),
  names: z.exactOptional(namesSchema),
  relay: z.exactOptional(relaySchema),
  enumOutput: z.exactOptional(z.enum(['label', 'upper'])),
  rules: z.exactOptional(z.record(z.string(), ruleSchema)),
  clients: z.exactOptional(z.array(z.enum(typedClients))),
  apiDocuments: z.exactOptional(z.boolean()),
  agentsFile: z.exactOptional(z.boolean()),
  doctor: z.exactOptional(doctorSchema),
} satisfies Record<string, z.ZodType> &
  Record<Exclude<keyof ModelOptions, 'bigint' | 'numeric' | 'restProcedures'>, z.ZodType>;

export type GeneratorKey = keyof typeof generatorShape;

/**
 * The accepted values and the effect of each generator key, for errors and for
 * docs/configuration.md.
 */
export const generatorKeys: Readonly<Record<GeneratorKey, { accepted: string; description: string }>> = {
  url: {
    accepted: 'text: postgres://user@host/database, mysql://user@host/database or pglite:DIR',
    description: 'The database to read. Better in the environment, as `DATABASE_URL`: the file is committed.',
  },
  schemas: {
    accepted: 'a list of text',
    description: 'The database schemas to generate from. Default: all but the system schemas.',
  },
  out: {
    accepted: 'text: a folder',
    description: 'The project’s folder, relative to the file. Without it: the folder the file is in.',
  },
  rename: {
    accepted: 'an object of new names by database name',
    description:
      'Names to use instead of the derived ones, by `schema.table` (or enum, composite, routine): `name`, `field`, `columns`, `relations`, `values`.',
  },
  exclude: {
    accepted: 'a list, not empty, of text or { name, ifExists: true }',
    description:
      'Objects to leave out: `schema.table`, `schema.table.column` or `schema.routine`; `*` is any text within one name. A name that matches nothing is an error; `{ name: "shop.old", ifExists: true }` may match nothing.',
  },
  functions: {
    accepted: 'a list of text',
    description:
      'Functions to expose, as fields of Query or, where they are VOLATILE, of Mutation: `schema.function`; `*` as in `exclude`. See functions.md.',
  },
  computed: {
    accepted: 'an object of computed fields by database name, each with function, columns',
    description:
      'Fields of tables that are stored functions of MariaDB, by `schema.table` and name: `{ "shop.orders": { total_text: { function: "shop.money_text", columns: ["total", "currency"] } } }`; the columns are its first arguments. See functions.md.',
  },
  procedures: {
    accepted: 'an object of procedures by database name, each with returns',
    description:
      'What procedures of MariaDB answer, by `schema.procedure`: rows of a table or view, or the types of columns: `{ "shop.late_orders": { returns: "shop.orders" }, "shop.totals": { returns: { customer_id: "int", total: "decimal(12,2)" } } }`; a list for several result sets. See functions.md.',
  },
  types: {
    accepted: 'an object of boolean, json or database by name',
    description:
      'What columns of MariaDB are, where the database has no such type: by `schema.table.column`, `*` as in `exclude`, or by `tinyint(1)` or `bit(1)`: `{ "tinyint(1)": "boolean", "shop.orders.level": "database", "shop.log.data": "json" }`. `database`: as the database says. See mysql.md.',
  },
  notNull: {
    accepted: 'a list of text',
    description: 'View columns that are never null: `schema.view.column`; `*` as in `exclude`.',
  },
  optional: {
    accepted: 'a list of text',
    description:
      'Columns that new rows may lack though they are NOT NULL and have no default, because a trigger fills them: `schema.table.column`; `*` as in `exclude`.',
  },
  keys: {
    accepted: 'an object of lists of columns by database name',
    description:
      'Columns that identify a row of a view, by `schema.view`: `{ "shop.totals": ["customer_id"] }`. The key of a view whose rows are rows of one table is found without this.',
  },
  relations: {
    accepted: 'an object of lists of relations by database name',
    description:
      'Relations without a foreign key, by the `schema.table` that refers: `{ "shop.totals": [{ columns: ["customer_id"], table: "shop.customers", references: ["id"] }] }`; `name` is the hint for REST.',
  },
  names: {
    accepted: 'an object with schemaPrefix, columns, relations',
    description:
      'The rules that names follow, each with its default first: `schemaPrefix: "always" | "several" | "never"`, `columns: "database" | "camel"`, `relations: "contract" | "simple"`. See names.md.',
  },
  relay: {
    accepted: 'an object, empty or with nodeId',
    description:
      'Relay’s object identification: rows with a key are of the interface `Node`, and Query has `node` and `nodes`. `nodeId` names the field of the global identifier (default `nodeId`). Without this key: none of it. See relay.md.',
  },
  enumOutput: {
    accepted: 'one of label, upper',
    description: 'How GraphQL shows enum labels: as they are (`label`, the default) or in upper case.',
  },
  rules: {
    accepted: 'an object of rules by database name, each with read, write, hide, roles',
    description:
      'Which rows and columns identities may read and write, by `schema.table`: `read` and `write` are conditions in the form of `where` with claims as values, `hide` lists columns, `roles` has other ones for roles. See row-rules.md.',
  },
  clients: {
    accepted: 'a list of supabase',
    description:
      'Types for clients, beside schema.graphql and openapi.json: `supabase` writes `src/generated/supabase.ts`, the type `Database` of supabase-js. See postgrest.md.',
  },
  apiDocuments: {
    accepted: 'true or false',
    description:
      'Whether `src/generated` has openapi.json and schema.graphql (`true`, the default). With `false` the commit is smaller: the server makes both from catalog.json, and still serves them.',
  },
  agentsFile: {
    accepted: 'true or false',
    description:
      'Whether `src/generated` has an AGENTS.md for programs that write code: what is generated, what to edit, which commands to run. A new AGENTS.md of the project links to it. See agents.md.',
  },
  doctor: {
    accepted: 'an object with a list `ignore`',
    description:
      'Findings that `tablewright doctor` leaves out: `ignore`, a list of `{ rule, objects, reason }`; `objects` as in `exclude`, all without it. See doctor.md.',
  },
};

const settings: ReadonlyMap<string, SettingDefinition> = new Map(Object.entries(settingDefinitions));

const settingShape: Record<string, z.ZodType> = Object.fromEntries(
  [...settings].map(([key, definition]) => [key, z.exactOptional(settingSchema(definition))]),
);

/** The whole file: generator keys and, verbatim, the server's settings. */
export const configSchema = z.strictObject({ ...settingShape, ...generatorShape });

/** The type of a valid file. The settings are built from data, so their types are stated here. */
export type ValidConfig = z.infer<z.ZodObject<typeof generatorShape>> & Partial<Settings>;

/** Every key a file may have. */
export const configKeys: readonly string[] = Object.keys(configSchema.shape);

/** The keys that may stand at a place inside the file, given the way to it: for "did you mean". */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return configKeys;
  if (path[0] === 'names') return Object.keys(nameRules);
  if (path[0] === 'relay') return Object.keys(relaySchema.shape);
  if (path[0] === 'procedures') return Object.keys(procedureSchema.shape);
  if (path[0] === 'computed') return Object.keys(computedSchema.shape);
  if (path[0] === 'relations') return Object.keys(relationSchema.shape);
  if (path[0] === 'rules') return Object.keys((path.length === 2 ? ruleSchema : roleRuleSchema).shape);
  if (path[0] === 'doctor') return Object.keys((path.length === 1 ? doctorSchema : silenceSchema).shape);
  return Object.keys(renameSchema.shape);
}

/** The accepted values of a key, in words. */
export function acceptedBy(key: string): string {
  if (key === silencedRule) return 'the code of a rule';
  const choices = choicesOfName(key);
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  const generator = Object.entries(generatorKeys).find(([name]) => name === key);
  if (generator !== undefined) return generator[1].accepted;
  const setting = settings.get(key);
  return setting === undefined ? 'another value' : acceptedSetting(setting);
}

/** The values of a key that takes one of a few. */
export function choicesOf(key: string): readonly string[] {
  if (key === silencedRule) return ruleCodes;
  const choices = choicesOfName(key);
  if (choices !== undefined) return choices;
  return key === 'enumOutput' ? ['label', 'upper'] : (settings.get(key)?.choices ?? []);
}

/** Of `names.columns` and its like. */
function choicesOfName(key: string): readonly string[] | undefined {
  return Object.entries(nameRules).find(([rule]) => key === `names.${rule}`)?.[1];
}

/** How a rule that is silenced is called where keys have names. */
export const silencedRule = 'doctor.ignore.rule';

/** Whether a key takes a number. */
export const isNumeric = (key: string): boolean => settings.get(key)?.type === 'integer';

/** The accepted values of a setting, in words. */
export function acceptedSetting(definition: SettingDefinition): string {
  switch (definition.type) {
    case 'integer':
      return `a whole number, ${String(definition.minimum ?? 0)} or more`;
    case 'count':
      return `a whole number, ${String(definition.minimum ?? 0)} or more, or \`auto\``;
    case 'boolean':
      return 'true or false';
    case 'list':
      return 'a list of text';
    case 'choice':
      return `one of ${definition.choices?.join(', ') ?? ''}`;
    case 'rates':
      return 'a list of rates (environment: JSON)';
    case 'string':
      return 'text';
  }
}

function settingSchema(definition: SettingDefinition): z.ZodType {
  switch (definition.type) {
    case 'integer':
      return z.int().min(definition.minimum ?? 0);
    case 'count':
      return z.union([z.int().min(definition.minimum ?? 0), z.literal('auto')]);
    case 'boolean':
      return z.boolean();
    case 'list':
      return listSchema();
    case 'choice':
      return z.enum([...(definition.choices ?? [])]);
    case 'rates':
      return z.unknown().superRefine((value, context) => {
        const problem = problemOfRates(value);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      });
    case 'string':
      return z.string();
  }
}

/** A list, or its comma-separated form, as in the environment. */
function listSchema(): z.ZodType<string[]> {
  return z.union([z.array(z.string()), z.string().transform(splitList)]);
}

/** `a, b` → `['a', 'b']`. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
