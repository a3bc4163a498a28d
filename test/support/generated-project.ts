import { join } from 'node:path';
import { buildSchema as parseSchema, lexicographicSortSchema, printSchema } from 'graphql';
import prettier from 'prettier';
import { verifySyntax } from '../../src/emit/verify.js';
import { emitOpenapi } from '../../runtime/src/generator.js';
import type { GeneratedServer } from '../../runtime/src/descriptor/generated.js';
import type { Model } from '../../runtime/src/model/model.js';
import { buildTypes, hasQueries } from '../../runtime/src/schema/build.js';
import { sourceOfDescriptors } from '../../runtime/src/schema/definitions/source.js';
import { LazySchema } from '../../runtime/src/schema/lazy-schema.js';
import type { Case } from './case.js';
import { drain, typesOf } from './live-schema.js';

/** Properties of every generated project, whatever its names. */

/** Prettier can parse the files and would change none of them. */
export async function expectFormatted({ files }: Pick<Case, 'files'>): Promise<void> {
  await verifySyntax(files);
  for (const [path, text] of generatedFiles(files)) {
    const options = { printWidth: 120, singleQuote: true, trailingComma: 'all', filepath: path } as const;
    expect({ path, text }).toEqual({ path, text: await prettier.format(text, options) });
  }
}

/** A server builds the text of schema.graphql from the descriptors. */
export async function expectPrintedSchema({ out, files, model }: Pick<Case, 'out' | 'files' | 'model'>): Promise<void> {
  const printed = (files.get('schema.graphql') ?? '').split('\n').slice(2).join('\n');
  const built = await builtSchema(out, model);
  const parsed = parseSchema(printed);
  expect(printSchema(lexicographicSortSchema(parsed))).toBe(built);
  expect(`${printSchema(parsed)}\n`).toBe(printed);
}

/**
 * A server that follows its database serves the same GraphQL schema and the same OpenAPI document.
 */
export function expectLiveSchema({ model, files }: Pick<Case, 'model' | 'files'>): void {
  const types = typesOf(model);
  const printed = (files.get('schema.graphql') ?? '').split('\n').slice(2).join('\n');
  const text = hasQueries(types) ? printSchema(lexicographicSortSchema(new LazySchema(types))) : '';
  expect(text).toBe(printSchema(lexicographicSortSchema(parseSchema(printed))));
  expect(emitOpenapi(model)).toBe(files.get('openapi.json'));
}

/**
 * The files in the generator's own format. graphql-js formats schema.graphql, and the catalogue has
 * a format of its own.
 */
export function generatedFiles(files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...files].filter(([path]) => path !== 'schema.graphql' && path !== 'catalog.json');
}

/** The schema of a generated project, sorted. */
async function builtSchema(out: string, { filters }: Model): Promise<string> {
  const { generated } = (await import(join(out, 'index.ts'))) as { generated: GeneratedServer };
  const operators = filters[0]?.operators ?? new Set<string>();
  const types = drain(buildTypes(sourceOfDescriptors(generated.descriptors, operators)));
  return printSchema(lexicographicSortSchema(new LazySchema(types)));
}
