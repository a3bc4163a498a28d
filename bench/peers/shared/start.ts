import { join } from 'node:path';
import { repository } from '../../harness/child.js';
import { compile } from '../../harness/project.js';
import { POOL_SIZE, type Data, type Start } from '../../harness/target.js';

const folder = join(repository, 'bench/peers');

/**
 * How a peer's server is started: compiled, from the folder that its packages are found from.
 * @param name its folder
 * @param role whose rows it may see in the database: those of the role that policies apply to, or all of them
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

/** All of them are compiled at once. */
let compiled: Promise<unknown> | undefined;

function environment({ url, adminUrl, publicKey }: Data, role: 'app' | 'admin'): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: role === 'app' ? url : adminUrl,
    JWT_PUBLIC_KEY: publicKey,
    POOL_SIZE: String(POOL_SIZE),
    // Graphile's own name for it; without it, its checks for development are on.
    GRAPHILE_ENV: 'production',
  };
}
