import { jest } from '@jest/globals';
import 'reflect-metadata';
import { join } from 'node:path';
import { buildSchema as parseSchema, lexicographicSortSchema, printSchema } from 'graphql';
import prettier from 'prettier';
import { getMetadataStorage } from 'type-graphql';
import ts from 'typescript';
import { buildLiveTypes, lazySchema } from '../../runtime/src/schema/live/build.js';
import { verifySyntax } from '../../src/emit/verify.js';
import { emitOpenapi } from '../../runtime/src/generator.js';
import type { GeneratedServer } from '../../runtime/src/descriptor/generated.js';
import type { Case } from './case.js';

/** Properties of every generated project, whatever its names. */

/** Prettier can parse the files and would change none of them. */
export async function expectFormatted({ files }: Pick<Case, 'files'>): Promise<void> {
  await verifySyntax(files);
  for (const [path, text] of generatedFiles(files)) {
    const options = { printWidth: 120, singleQuote: true, trailingComma: 'all', filepath: path } as const;
    expect({ path, text }).toEqual({ path, text: await prettier.format(text, options) });
  }
}

/** TypeGraphQL builds the text of schema.graphql from the classes. */
export async function expectPrintedSchema({ out, files }: Pick<Case, 'out' | 'files'>): Promise<void> {
  const printed = (files.get('schema.graphql') ?? '').split('\n').slice(2).join('\n');
  const built = await builtSchema(out);
  const parsed = parseSchema(printed);
  expect(printSchema(lexicographicSortSchema(parsed))).toBe(built);
  expect(`${printSchema(parsed)}\n`).toBe(printed);
}

/**
 * A server that follows its database serves the same GraphQL schema and the same OpenAPI document.
 */
export function expectLiveSchema({ model, files }: Pick<Case, 'model' | 'files'>): void {
  const live = drain(buildLiveTypes(model));
  const printed = (files.get('schema.graphql') ?? '').split('\n').slice(2).join('\n');
  const text = live === undefined ? '' : printSchema(lexicographicSortSchema(lazySchema(live)));
  expect(text).toBe(printSchema(lexicographicSortSchema(parseSchema(printed))));
  expect(emitOpenapi(model)).toBe(files.get('openapi.json'));
}

/** The compiler's errors for projects with the settings of the templates. */
export function compileProblems(outs: readonly string[]): readonly string[] {
  const configuration = ts.readConfigFile(join(import.meta.dirname, '../../templates/project/tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  );
  const { rootDir, outDir, ...options } = ts.convertCompilerOptionsFromJson(
    (configuration.config as { compilerOptions: object }).compilerOptions,
    '.',
  ).options;
  expect([rootDir, outDir]).toEqual(['src', 'dist']);
  const roots = outs.flatMap((out) => [join(out, 'index.ts'), join(out, 'database.ts')]);
  const program = ts.createProgram(roots, { ...options, noEmit: true });
  return ts.getPreEmitDiagnostics(program).map((each) => {
    const message = ts.flattenDiagnosticMessageText(each.messageText, '\n');
    return `${each.file?.fileName ?? ''}: ${message}`;
  });
}

/** The result of a generator. */
function drain<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The files in the generator's own format. graphql-js formats schema.graphql, and the catalogue has
 * a format of its own.
 */
export function generatedFiles(files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...files].filter(([path]) => path !== 'schema.graphql' && path !== 'catalog.json');
}

/**
 * The schema of a generated project, sorted. TypeGraphQL stores the declarations of classes
 * globally in the process, so each case clears them and loads all declaring modules again.
 */
async function builtSchema(out: string): Promise<string> {
  getMetadataStorage().clear();
  jest.resetModules();
  const { generated } = (await import(join(out, 'index.ts'))) as { generated: GeneratedServer };
  const { buildGraphqlSchema } = await import('../../runtime/src/schema/build-schema.js');
  const graphql = await import('graphql');
  const schema = await buildGraphqlSchema(generated.resolvers, true, {}, [], generated.descriptors);
  if (schema === undefined) throw new Error('There is no schema.');
  // Generated code must have no custom parts, because a server that follows its database would keep
  // such parts after a change.
  const { findCustomParts, isPlain } = await import('../../runtime/src/schema/live/custom-parts.js');
  const { createRegistry } = await import('../../runtime/src/descriptor/registry.js');
  const parts = findCustomParts(schema, createRegistry(generated.descriptors));
  expect({ types: parts.types.map(({ name }) => name), fields: parts.fields, isPlain: isPlain(parts) }).toEqual({
    types: [],
    fields: [],
    isPlain: true,
  });
  return graphql.printSchema(graphql.lexicographicSortSchema(schema));
}
