import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The program of a process in which generated servers run one after another: see server-host.ts.
 * They share the packages that Node has loaded, and nothing else.
 */

/** Milliseconds that connections have to close after a server has ended. */
const PATIENCE = 3_000;

const exit = process.exit.bind(process);
let isRunning = false;
/** The end of the output of a server, on both streams. */
let end = '';

process.on('disconnect', () => exit(1));
process.on('message', ({ folder, environment, end: given }) => {
  end = given;
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
  process.chdir(folder);
  isRunning = true;
  // A failure ends the process, as that of any program.
  void import(pathToFileURL(join(folder, 'dist/main.js')).href);
});

/** A server that ends well leaves the process to the next one. */
process.exit = (code) => {
  if (Number(code ?? process.exitCode ?? 0) !== 0 || !isRunning) exit(code);
  isRunning = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.removeAllListeners(signal);
  for (const stream of [process.stdout, process.stderr]) stream.write(end);
  leave(performance.now() + PATIENCE);
};

/** Offers the process to the next server as soon as nothing is left of the last one. */
function leave(latest) {
  // TypeGraphQL keeps the classes of a process.
  if ('TypeGraphQLMetadataStorage' in globalThis || performance.now() > latest) exit(0);
  if (left().length === 0) process.send('free');
  else setTimeout(leave, 20, latest).unref();
}

/** Timers, sockets and files that would keep a process alive. Its channel and output are pipes. */
const left = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
