import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { Data } from '../harness/target.js';
import { APP_ROLE, type Sizes } from './schema.js';
import { startDataServer, type DataServer, type Durability } from './server.js';

const claims = { sub: 'user7', projectId: 'p1', exp: 4_000_000_000 };

/** Starts the database of the workloads, and stops it after the work. */
export async function withData<T>(
  sizes: Sizes,
  work: (data: Data, server: DataServer) => Promise<T>,
  durability: Durability = 'fast',
): Promise<T> {
  const server = await startDataServer(sizes, durability);
  try {
    return await work(await describeData(server.url, sizes), server);
  } finally {
    await server.stop();
  }
}

/** @param reached the address for targets, when it differs from the database's own */
export async function describeData(adminUrl: string, sizes: Sizes, reached?: { readonly url: string }): Promise<Data> {
  const url = new URL(reached?.url ?? adminUrl);
  if (reached === undefined) [url.username, url.password] = [APP_ROLE, APP_ROLE];
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  return { url: url.href, adminUrl, sizes, token, publicKey: await exportSPKI(publicKey), claims };
}
