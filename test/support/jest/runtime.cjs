const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { mapName } = require('./map-name.cjs');

const eventHandlers = Symbol.for('EVENT_HANDLERS');

/** The file with the source map of each module that loader.js has compiled. */
class SourceMaps extends Map {
  constructor(rootDir) {
    super();
    this.folder = join(rootDir, '.tmp/jest-maps');
  }

  get(url) {
    if (!url.startsWith('file:') || !/\.ts(?:\?|$)/.test(url)) return undefined;
    return join(this.folder, mapName(url));
  }
}

let sourceMaps;

/**
 * What Jest asks of the runtime of a suite (`runtime` in jest.config.js). Jest's own runtime loads
 * every module again for each suite; here Node loads modules, once per worker.
 */
module.exports = class SharedRuntime {
  constructor(config, environment) {
    this.environment = environment;
    sourceMaps ??= new SourceMaps(config.rootDir);
  }

  /** Jest's test framework, in a new copy for each suite: it keeps the tests of the suite. */
  requireInternalModule(path) {
    Reflect.deleteProperty(globalThis, eventHandlers);
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  /** The functions of the global `jest` that suites use. */
  setGlobalsForRuntime() {
    const { fakeTimersModern: timers, moduleMocker: mocker } = this.environment;
    globalThis.jest = {
      spyOn: mocker.spyOn.bind(mocker),
      useFakeTimers: timers.useFakeTimers.bind(timers),
      useRealTimers: timers.useRealTimers.bind(timers),
      advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
      getTimerCount: timers.getTimerCount.bind(timers),
      setSystemTime: timers.setSystemTime.bind(timers),
    };
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {}

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {}
};
