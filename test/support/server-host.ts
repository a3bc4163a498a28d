import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import {
  hasEnded,
  startGeneratedServer,
  untilReady,
  type RunningServer,
  type ServerProcess,
} from './running-server.js';
import { scratchFolder } from './scratch-folder.js';

/**
 * Starts a generated server in a process that may have run others before: it loads the packages
 * once, and V8 has compiled them. A process runs one server at a time, from a copy of the folder,
 * so that Node loads the project again. A server that leaves anything behind is the last of its
 * process. A test of a process, such as its memory or its first second, uses
 * `startGeneratedServer`.
 */
export async function startHostedServer(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  if (Object.keys(environment).some((name) => isOfProcess.test(name))) return startGeneratedServer(folder, environment);
  const copy = await scratchFolder('hosted');
  await cp(folder, copy, { recursive: true });
  const port = await freePort();
  const variables = { ...process.env, ...environment, PORT: String(port), HOST: '127.0.0.1' };
  const host = Host.for(variables);
  const program = host.run(copy, variables);
  const base = `http://127.0.0.1:${port}`;
  const { log } = program;
  const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
  await untilReady(base, () => hasEnded(host.child), log).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const stop = async (): Promise<number | null> => {
    const code = await program.stop();
    await remove();
    return code;
  };
  return { pid: host.child.pid ?? 0, base, log, stop };
}

/** Variables that ask for several processes, or that something reads before the program begins. */
const isOfProcess = /^(?:APP_SERVER_WORKERS$|NODE_(?!ENV$|OPTIONS$)|TABLEWRIGHT_)/;

/** What a host writes to each of its streams after the output of a program. */
const end = '\0end\0';

const mostIdle = 3;

/** Marks processes that stay for later suites: see leaks/suite.ts. */
const keptVariable = 'TEST_KEPT';

class Host {
  /** Hosts without a program, the last used one at the end. */
  private static idle: Host[] = [];

  /** @param variables of which Node's own are those of the process */
  static for({ NODE_OPTIONS = '', NODE_ENV = '' }: NodeJS.ProcessEnv): Host {
    const started = JSON.stringify([NODE_OPTIONS, NODE_ENV]);
    const at = Host.idle.findLastIndex((host) => host.started === started);
    const [known] = at < 0 ? [] : Host.idle.splice(at, 1);
    return known ?? new Host(started, { NODE_OPTIONS, NODE_ENV });
  }

  readonly child: ChildProcess;
  private readonly ended: Promise<'ended'>;
  private readonly outputs: readonly Socket[];

  private constructor(
    private readonly started: string,
    variables: Readonly<Record<string, string>>,
  ) {
    this.child = spawn(process.execPath, [join(import.meta.dirname, 'server-host.js')], {
      env: { ...process.env, ...variables, [keptVariable]: 'true' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.ended = once(this.child, 'exit').then(() => 'ended');
    this.outputs = [this.child.stdout, this.child.stderr].map((stream) => (stream as Socket).setEncoding('utf8'));
    // It ends with this process, which need not wait for it.
    for (const each of [this.child, this.child.channel, ...this.outputs]) each?.unref();
    this.child.on('message', this.offer);
    this.child.once('exit', () => {
      Host.idle = Host.idle.filter((host) => host !== this);
    });
  }

  run(folder: string, environment: NodeJS.ProcessEnv): Pick<RunningServer, 'log' | 'stop'> {
    const { child } = this;
    let log = '';
    let isOver = false;
    const vacated = Promise.all(
      this.outputs.map(
        (stream) =>
          new Promise<void>((resolve) => {
            let text = '';
            const read = (chunk: string): void => {
              text += chunk;
              const at = text.indexOf(end);
              log += at < 0 ? chunk : chunk.replace(/\0[^]*$/, '');
              if (at < 0) return;
              stream.off('data', read);
              resolve();
            };
            stream.on('data', read);
          }),
      ),
    );
    child.send({ folder, environment, end });
    const over = Promise.race([this.ended, vacated]).then((how) => {
      isOver = true;
      return how === 'ended' ? child.exitCode : 0;
    });
    const stop = (): Promise<number | null> => {
      // Afterwards the process may run the server of another suite.
      if (!isOver) child.kill('SIGTERM');
      return over;
    };
    return { log: () => log, stop };
  }

  /** Nothing is left of the last program: the next one may come. */
  private readonly offer = (): void => {
    Host.idle.push(this);
    if (Host.idle.length > mostIdle) Host.idle.shift()?.child.kill();
  };
}
