import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { found } from './machine/machine.js';

/** A server of another program that a test starts. It ends when the process of the test ends. */
export interface BoundProcess {
  readonly pid: number;
  /** Sends a signal and waits for the end. Does nothing when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /**
   * Waits until the server answers.
   * @throws Error at once when the process ends before, or could not be started
   */
  ready(answers: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts a server.
 * @param lastSignal the signal on which the server ends at once, sent when this process has ended
 * @param log what the server has written, for messages
 */
export function startBound(
  [program, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
  lastSignal: 'QUIT' | 'KILL',
  log: () => Promise<string> = () => Promise.resolve(''),
): BoundProcess {
  const setpriv = found('setpriv')?.at;
  const child =
    setpriv === undefined
      ? spawn(program, args, options)
      : spawn(setpriv, ['--pdeathsig', lastSignal, '--', program, ...args], options);
  return { pid: child.pid ?? 0, ...watch(child, program, log) };
}

function watch(child: ChildProcess, program: string, log: () => Promise<string>): Pick<BoundProcess, 'end' | 'ready'> {
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.once('error', (error) => {
      failure = error;
      resolve();
    });
  });
  let isOver = false;
  void ended.then(() => (isOver = true));
  return {
    end: async (signal) => {
      if (isOver) return;
      child.kill(signal);
      await ended;
    },
    ready: async (answers) => {
      while (!isOver) {
        if (await answers()) return;
        await Promise.race([ended, sleep(20, undefined, { ref: false })]);
      }
      const how = failure?.message ?? `it ended with ${String(child.exitCode ?? child.signalCode)}`;
      throw new Error(`${program} did not start: ${how}\n${await log()}`);
    },
  };
}
