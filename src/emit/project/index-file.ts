import { formatOf, type Model, namingOptionsOf } from '@tablewright/runtime/model';
import type { EmitContext } from '../context.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, object, string } from '../source/typescript.js';
import { runtimeModule } from '../source/runtime-module.js';

/** The facts in `index.ts` about the catalogue and how it was read. */
interface Origin {
  readonly schemas?: readonly string[] | undefined;
}

/** `index.ts`: the argument of `createServer`. */
export function emitIndex({ model }: EmitContext, { schemas: asked }: Origin): string {
  const imports = new Imports();
  imports.type('GeneratedServer', runtimeModule);
  imports.value('mergeSchemas', runtimeModule);
  imports.value('settings', './settings.js');
  const hasRules = model.options.rules !== undefined;
  if (hasRules) imports.value('rules', './rules.js');
  const schemas = model.schemas.map((schema) => imports.value(schema.identifier, `./${schema.folder}/index.js`));
  const entries: readonly Doc[] = [
    `format: ${String(formatOf(model.options))}`,
    ['...mergeSchemas(', array(schemas), ')'],
    'settings',
    ...(hasRules ? ['rules'] : []),
    "openapi: new URL('../../src/generated/openapi.json', import.meta.url)",
    ['naming: ', literal(namingOf(model, asked))],
  ];
  return printFile('the database', imports, [
    [
      'export const generated: GeneratedServer = {',
      indent(entries.map((entry) => [hardline, entry, ','])),
      hardline,
      '};',
    ],
  ]);
}

type Literal = string | readonly Literal[] | { readonly [name: string]: Literal };

/**
 * The options by which the database was read and named, for a server that follows changes of the
 * database.
 */
function namingOf({ options, excluded }: Model, schemas: readonly string[] | undefined): Literal {
  const known = excluded.length === 0 ? {} : { excluded };
  const given: Readonly<Record<string, unknown>> = { schemas, ...namingOptionsOf(options), ...known };
  // JSON omits undefined options: they have their defaults.
  return JSON.parse(JSON.stringify(given)) as Literal;
}

function literal(value: Literal): Doc {
  if (typeof value === 'string') return string(value);
  if (isList(value)) return array(value.map(literal));
  return object(Object.entries(value).map(([name, item]) => [name, literal(item)] as const));
}

const isList = (value: Exclude<Literal, string>): value is readonly Literal[] => Array.isArray(value);
