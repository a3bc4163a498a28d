import { join } from 'node:path';
import { repository } from '../../harness/child.js';
import { compile } from '../../harness/project.js';
import { POOL_SIZE, type Data, type Start } from '../../harness/target.js';

const folder = join(repository, 'bench/peers');

/**
 * How to start a peer's server: compiled, in the folder where Node finds its packages.
 * @param name the peer's folder
 * @param role the role of its database connections: `app` is subject to policies, `admin` is not
 */
export function startOf(name: string, role: 'app' | 'admin'): Start {
  return {
    args: [join('dist', name, 'server/main.js')],
    cwd: folder,
    env: (data) => environment(data, role),
    readyPath: '/health/ready',
    prepare: async () => {
      await (compiled ??= compile(folder, '--noCheck'));
    },
  };
}

/** One run of the compiler compiles all peers. */
let compiled: Promise<unknown> | undefined;

function environment({ url, adminUrl, publicKey }: Data, role: 'app' | 'admin'): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: role === 'app' ? url : adminUrl,
    JWT_PUBLIC_KEY: publicKey,
    POOL_SIZE: String(POOL_SIZE),
    // Graphile's own variable; without it, Graphile enables its development checks.
    GRAPHILE_ENV: 'production',
  };
}
