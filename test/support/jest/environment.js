import { register } from 'node:module';
import { takeCoverage } from 'node:v8';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

register('./loader.js', import.meta.url);

/** A server that a suite does not stop would end the worker's own process. */
const signals = ['SIGINT', 'SIGTERM'];
const listenersOf = () =>
  signals.flatMap((signal) => process.listeners(signal).map((listener) => ({ signal, listener })));

/**
 * Runs suites in the global scope of their worker, so that all suites of a worker share the modules
 * that they import. Restores after each suite what Jest and the suite have changed in that scope.
 */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      console: globalThis.console,
      exit: process.exit,
      variables: { ...process.env },
      listeners: listenersOf(),
    };
  }

  setup() {
    return Promise.resolve();
  }

  teardown() {
    const { console, exit, variables, listeners } = this.before;
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = console;
    process.exit = exit;
    for (const { signal, listener } of listenersOf())
      if (!listeners.some((known) => known.listener === listener)) process.off(signal, listener);
    for (const name of Object.keys(process.env)) if (!(name in variables)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, variables);
    // For `npm run coverage`: Jest ends a worker that does not end by itself in half a second.
    if (process.env.NODE_V8_COVERAGE !== undefined) takeCoverage();
    return Promise.resolve();
  }

  /** Jest asks that the function exists, and calls it only for a coverage of its own. */
  getVmContext() {
    return null;
  }
}
