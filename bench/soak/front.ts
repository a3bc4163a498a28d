import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../../test/support/documents.js';
import { freePort } from '../../test/support/free-port.js';
import { isListening } from '../../test/support/listening.js';
import { Killable } from './process.js';

/** Three generated servers with a broker, behind HAProxy as docs/scaling.md configures it. */
export interface Front {
  readonly base: string;
  readonly proxy: Killable;
  readonly broker: Killable;
  readonly servers: readonly [Killable, Killable, Killable];
  readonly end: () => Promise<void>;
}

/** @param program the folder of the generated program */
export async function startFront(program: string, environment: Readonly<Record<string, string>>): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-soak-'));
  const [brokerPort, proxyPort] = [await freePort(), await freePort()];
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const broker = new Killable(['nats-server', '-a', '127.0.0.1', '-p', String(brokerPort), '-l', '/dev/null'], {}, () =>
    isListening(brokerPort),
  );
  await broker.start();
  const server = (port: number): Killable =>
    new Killable(
      [process.execPath, 'dist/main.js'],
      {
        cwd: program,
        env: {
          ...environment,
          APP_CHANGES_HUB: 'nats',
          APP_CHANGES_HUB_URL: `nats://127.0.0.1:${String(brokerPort)}`,
          HOST: '127.0.0.1',
          PORT: String(port),
        },
      },
      async () => (await fetch(`http://127.0.0.1:${String(port)}/health/ready`)).ok,
    );
  const servers = [server(ports[0]), server(ports[1]), server(ports[2])] as const;
  await Promise.all(servers.map((each) => each.start()));
  const [block = ''] = blocksOf('scaling.md', 'haproxy');
  const addresses = [...ports];
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    block
      .replace('*:80', `127.0.0.1:${String(proxyPort)}`)
      .replaceAll(/10\.0\.0\.\d:4000/g, () => `127.0.0.1:${String(addresses.shift())}`),
  );
  const base = `http://127.0.0.1:${String(proxyPort)}`;
  const isReady = async (): Promise<boolean> => (await fetch(`${base}/health/ready`)).ok;
  const proxy = new Killable(['/usr/sbin/haproxy', '-db', '-f', file], {}, isReady);
  await proxy.start();
  return {
    base,
    proxy,
    broker,
    servers,
    end: async () => {
      await Promise.all([proxy, ...servers, broker].map((each) => each.end()));
      await rm(folder, { recursive: true });
    },
  };
}
