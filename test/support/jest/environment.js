import { takeCoverage } from 'node:v8';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { registerLoader } from './hooks.js';

registerLoader();

/** A server that a suite does not stop would end the worker's own process. */
const signals = ['SIGINT', 'SIGTERM'];
const listenersOf = () =>
  signals.flatMap((signal) => process.listeners(signal).map((listener) => ({ signal, listener })));

/** What fake timers replace: https://github.com/sinonjs/fake-timers#readme. */
const timers = [
  [
    globalThis,
    ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ],
  [globalThis, ['performance', 'queueMicrotask']],
  [process, ['nextTick', 'hrtime']],
];
const timersOf = () =>
  timers.flatMap(([owner, names]) =>
    names.map((name) => ({ owner, name, property: Object.getOwnPropertyDescriptor(owner, name) })),
  );

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
      timers: timersOf(),
    };
  }

  async setup() {
    this.leaks = await import('../leaks/suite.js');
    this.places = await import('../places/place.js');
    this.leaks.openWorker();
    this.beforeSuite = this.leaks.beforeSuite();
  }

  /** A suite that leaves anything behind fails. Its tests keep their results. */
  async handleTestEvent({ name }, { unhandledErrors }) {
    if (name !== 'run_finish') return;
    this.fakeTimersModern.useRealTimers();
    const left = await this.leaks.leftBehind(this.beforeSuite);
    const message = `The suite has left behind:\n${left.join('\n')}`;
    if (left.length > 0) unhandledErrors.push(Object.assign(new Error(message), { stack: message }));
  }

  async teardown() {
    this.restore();
    await this.places?.leavePlace();
    // For `npm run coverage`: Jest ends a worker that does not end by itself in half a second.
    if (process.env.NODE_V8_COVERAGE !== undefined) takeCoverage();
  }

  /** Before all that can fail or wait: with fake timers the next suites would wait for ever. */
  restore() {
    const { console, exit, variables, listeners, timers } = this.before;
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    // A spy on a fake timer restores the fake one, each time that it is restored.
    for (const { owner, name, property } of timers) Object.defineProperty(owner, name, property);
    globalThis.console = console;
    process.exit = exit;
    for (const { signal, listener } of listenersOf())
      if (!listeners.some((known) => known.listener === listener)) process.off(signal, listener);
    for (const name of Object.keys(process.env)) if (!(name in variables)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, variables);
  }

  /** Jest asks that the function exists, and calls it only for a coverage of its own. */
  getVmContext() {
    return null;
  }
}
