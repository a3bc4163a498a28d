import { join } from 'node:path';
import ts from 'typescript';
import { noLongerNeeded, withDependency } from '../../../src/output/dependencies.js';
import { promises } from '../../../src/output/upgrade/counterparts.js';
import { moveImports } from '../../../src/output/upgrade/imports.js';

const checkout = join(import.meta.dirname, '../../..');

describe('imports of the copied runtime', () => {
  test('become imports of the package; not another byte changes', async () => {
    const before = [
      "import 'reflect-metadata';",
      "import './generated/runtime/server/load-env.js';",
      "import { custom } from './custom/index.js';",
      'import { createServer as create, type ServerOptions } from "./generated/runtime/server/create-server.js";',
      "export type { Hooks } from './generated/runtime/server/write-hooks.js'",
      "let context: import('./generated/runtime/graphql.js').Context;",
      "const text = './generated/runtime/errors.js';",
      '',
    ];
    const after = [
      "import '@tablewright/runtime/setup';",
      "import { custom } from './custom/index.js';",
      'import { createServer as create, type ServerOptions } from "@tablewright/runtime";',
      "export type { Hooks } from '@tablewright/runtime'",
      "let context: import('@tablewright/runtime').Context;",
      "const text = './generated/runtime/errors.js';",
      '',
    ];
    expect(await moveImports('src/main.ts', before.join('\n'))).toEqual({ text: after.join('\n'), left: [] });
    expect((await moveImports('src/main.ts', before.join('\r\n'))).text).toBe(after.join('\r\n'));
  });

  test('of an entry of their own, from deeper folders', async () => {
    const before = [
      "import { GraphQLJSON } from '../../generated/runtime/scalars.js';",
      "import { buildGraphqlSchema } from '../../generated/runtime/server/graphql-schema.js';",
      "import type { TableDescriptor } from '../../generated/runtime/descriptor.js';",
      "import 'reflect-metadata';",
    ].join('\n');
    const { text, left } = await moveImports('src/custom/reports/index.ts', before);
    expect(text.match(/'.*'/g)).toEqual([
      "'@tablewright/runtime/schema'",
      "'@tablewright/runtime/testing'",
      "'@tablewright/runtime/descriptor'",
      "'reflect-metadata'",
    ]);
    expect(left).toEqual([]);
  });

  test('that have no counterpart stay, and are told with their lines', async () => {
    const before = [
      "import { compileRead, createServer } from '../generated/runtime/server/create-server.js';",
      "import * as errors from '../generated/runtime/errors.js';",
      "import { planRead } from '../generated/runtime/plan/plan.js';",
      "const { codes } = await import('../generated/runtime/errors.js');",
      "import { other } from './generated/runtime/errors.js';",
    ].join('\n');
    const { text, left } = await moveImports('src/custom/index.ts', before);
    expect(text).toBe(before);
    expect(left).toEqual([
      { path: 'src/custom/index.ts', line: 1, module: 'server/create-server', names: ['compileRead', 'createServer'] },
      { path: 'src/custom/index.ts', line: 2, module: 'errors', names: [] },
      { path: 'src/custom/index.ts', line: 3, module: 'plan/plan', names: ['planRead'] },
      { path: 'src/custom/index.ts', line: 4, module: 'errors', names: [] },
    ]);
  });

  test('are promised only where the package exports the names', () => {
    const lines = promises().map(([entry, names], at) => {
      return `export type { ${names.map((name) => `${name} as ${name}${at}`).join(', ')} } from '${entry}';`;
    });
    // The file need not exist: the test checks only its imports, with this repository's own
    // settings.
    const path = join(checkout, 'test/unit/output/promised.ts');
    const { config } = ts.readConfigFile(join(checkout, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, checkout);
    const host = ts.createCompilerHost(options);
    const source = ts.createSourceFile(path, lines.join('\n'), ts.ScriptTarget.Latest);
    const read = host.getSourceFile.bind(host);
    const program = ts.createProgram([path], options, {
      ...host,
      fileExists: (name) => name === path || host.fileExists(name),
      getSourceFile: (name, language) => (name === path ? source : read(name, language)),
    });
    const problems = program.getSemanticDiagnostics(source).map(({ messageText }) => messageText);
    expect(problems).toEqual([]);
  });
});

describe('the package.json', () => {
  test('gets a package in the form that the file has, or another specification of it', () => {
    expect(withDependency('{\n\t"name": "x",\n\t"dependencies": {\n\t\t"pg": "8"\n\t}\n}\n', 'a', '^1')).toBe(
      '{\n\t"name": "x",\n\t"dependencies": {\n\t\t"a": "^1",\n\t\t"pg": "8"\n\t}\n}\n',
    );
    expect(withDependency('{"dependencies":{"a":"1"}}', 'a', 'file:./a')).toContain('"a": "file:./a"');
    expect(withDependency('{', 'a', '1')).toBeUndefined();
  });

  test('no longer needs what another package brings, unless the owner’s code imports it', () => {
    const own = JSON.stringify({
      dependencies: { pg: '8', pino: '10', express: '5', lossless: '1', 'graphql-scalars': '1' },
      devDependencies: { '@types/pg': '8', '@types/pino': '1' },
    });
    const texts = ["import { Pool } from 'pg';", 'import { x } from "graphql-scalars/x";'];
    expect(noLongerNeeded(own, ['pg', 'pino', 'graphql-scalars'], texts)).toEqual(['@types/pino', 'pino']);
  });
});
