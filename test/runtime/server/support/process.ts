import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Descriptors } from '../../../../runtime/src/descriptor/registry.js';
import { repository, transpile, type Transpiled } from '../../../support/transpile.js';

export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the address, and rejects when the process ends before it listens. */
  readonly listening: Promise<string>;
  readonly ended: Promise<number | null>;
}

const source = 'test/runtime/server/support';

/** support/program.ts over the built runtime, for `startProgram`. It serves these tables. */
export async function writeProgram(descriptors: Descriptors): Promise<Transpiled> {
  const folders = ['test/runtime/rest/support', source];
  const program = await transpile(Object.fromEntries(folders.map((folder) => [folder, folder])));
  await mkdir(join(program.folder, 'runtime'));
  await symlink(join(repository, 'runtime/dist'), join(program.folder, 'runtime/src'));
  await writeFile(join(program.folder, source, 'descriptors.json'), JSON.stringify(descriptors));
  return program;
}

/** Starts support/program.ts as a user does, transpiled into `folder`. */
export function startProgram(folder: string, environment: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [join(folder, source, 'program.js')], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      APP_SCHEMAS: 'board',
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const address = /"address":"([^"]+)"/.exec(stdout)?.[1];
      if (address !== undefined) resolve(address);
    });
    ended.then(() => {
      reject(new Error(`ended: ${stdout}${stderr}`));
    }, reject);
  });
  listening.catch(() => undefined);
  return { child, stdout: () => stdout, stderr: () => stderr, listening, ended };
}

/** Sends a signal and waits until the process handles it: a request may overtake a signal. */
export async function drain({ child, stdout }: Running, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  while (!stdout().includes('"phase":"draining"')) await setTimeout(5);
}
