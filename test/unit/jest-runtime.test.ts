import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as globals from '@jest/globals';
import { repository } from '../support/transpile.js';

/** The runtime of all suites, in test/support/jest: Jest asks it for what these tests ask. */
const folder = join(repository, 'test/support/jest');

interface Environment {
  readonly global: unknown;
  setup(): Promise<void>;
  teardown(): Promise<void>;
}

type Construct<Result> = new (...args: readonly unknown[]) => Result;

const importDefault = async <Result>(name: string): Promise<Result> =>
  ((await import(pathToFileURL(join(folder, name)).href)) as { readonly default: Result }).default;

const createEnvironment = async (): Promise<Environment> => {
  const SharedEnvironment = await importDefault<Construct<Environment>>('environment.js');
  return new SharedEnvironment({ projectConfig: { fakeTimers: {} } }, { testPath: import.meta.filename });
};

describe('the hooks of the loader', () => {
  interface Hooks {
    readonly registerLoader: (module: object) => void;
  }
  const registered = async (...names: readonly string[]): Promise<readonly string[]> => {
    const { registerLoader } = (await import(pathToFileURL(join(folder, 'hooks.js')).href)) as Hooks;
    const calls: string[] = [];
    registerLoader(Object.fromEntries(names.map((name) => [name, () => calls.push(name)])));
    return calls;
  };

  test('are registered in this thread where Node can do that, and otherwise in a thread of their own', async () => {
    expect(await registered('registerHooks', 'register')).toEqual(['registerHooks']);
    expect(await registered('register')).toEqual(['register']);
  });

  test('give a package of this repository as its sources', async () => {
    const [byName, byPath] = await Promise.all([
      import('@tablewright/runtime/descriptor'),
      import('../../runtime/src/descriptor/index.js'),
    ]);
    expect(byName).toBe(byPath);
  });

  test('give each suite the globals of its own', () => {
    expect(globals.test).toBe(test);
    expect(globals.expect).toBe(expect);
  });

  test('give errors the lines of the TypeScript', () => {
    const { stack = '' } = new Error('here');
    expect(stack).toContain('jest-runtime.test.ts:56:');
  });
});

describe('the environment of a suite', () => {
  test('is the scope of the worker, in which modules are shared', async () => {
    expect((await createEnvironment()).global).toBe(globalThis);
  });

  test('restores what a suite has changed', async () => {
    const before = { console: globalThis.console, exit: process.exit.bind(process), path: process.env['PATH'] };
    const listeners = process.listenerCount('SIGTERM');
    const environment = await createEnvironment();
    await environment.setup();
    globalThis.console = { ...before.console };
    process.env['OF_A_SUITE'] = 'set';
    process.env['PATH'] = '/nowhere';
    process.on('SIGTERM', () => undefined);
    await environment.teardown();
    expect(globalThis.console).toBe(before.console);
    expect(process.env['OF_A_SUITE']).toBeUndefined();
    expect(process.env['PATH']).toBe(before.path);
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
  });

  test('restores mocks and timers', async () => {
    const Runtime = createRequire(import.meta.url)(join(folder, 'runtime.cjs')) as Construct<{
      setGlobalsForRuntime(): void;
      requireInternalModule(path: string): unknown;
    }>;
    const [own, environment] = [globalThis.jest, await createEnvironment()];
    const runtime = new Runtime({ rootDir: repository }, environment);
    const object = { answer: () => 1 };
    const { setTimeout } = globalThis;
    try {
      runtime.setGlobalsForRuntime();
      globalThis.jest.spyOn(object, 'answer').mockReturnValue(2);
      globalThis.jest.useFakeTimers();
      globalThis.jest.spyOn(globalThis, 'setTimeout').mockRestore();
      globalThis.jest.spyOn(globalThis, 'setTimeout');
      expect([object.answer(), globalThis.setTimeout === setTimeout]).toEqual([2, false]);
      await environment.teardown();
    } finally {
      globalThis.jest = own;
    }
    expect([object.answer(), globalThis.setTimeout === setTimeout]).toEqual([1, true]);
  });
});

test("Jest's framework is a new copy for each suite, because it keeps the tests of the suite", () => {
  const require = createRequire(import.meta.url);
  const Runtime = require(join(folder, 'runtime.cjs')) as Construct<{ requireInternalModule(path: string): unknown }>;
  const runtime = new Runtime({ rootDir: repository }, {});
  const handlers = Symbol.for('EVENT_HANDLERS');
  const kept: unknown = Reflect.get(globalThis, handlers);
  try {
    const path = join(folder, 'map-name.cjs');
    const first = runtime.requireInternalModule(path);
    expect(runtime.requireInternalModule(path)).not.toBe(first);
    expect(Reflect.has(globalThis, handlers)).toBe(false);
  } finally {
    if (kept !== undefined) Reflect.set(globalThis, handlers, kept);
  }
});
