import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import { systemCode } from '../system-error.js';

const algorithm = 'ES256';
const privateFile = 'private-key.pem';

/** Where the server of a demo finds the key, in its folder: its console signs claims with it. */
export const privateKeyPath = `keys/${privateFile}`;

/** Who the printed token speaks for: Dalia Haddad, who owns the private project PAY. */
export const demoUserId = '4';

/**
 * A token for a user of the demo, valid for seven days. The key pair is made on the first start and
 * kept in `folder`, so that tokens of an earlier start stay valid; the folder keeps itself out of
 * git.
 */
export async function demoToken(folder: string, userId = demoUserId): Promise<string> {
  const key = await importPKCS8(await privateKey(join(folder, 'keys')), algorithm);
  return new SignJWT({ userId })
    .setProtectedHeader({ alg: algorithm })
    .setIssuedAt()
    .setExpirationTime('7 days')
    .sign(key);
}

async function privateKey(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, privateFile), 'utf8');
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const text = await exportPKCS8(pair.privateKey);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n');
  await writeFile(join(folder, 'public-key.pem'), await exportSPKI(pair.publicKey));
  // Last: where there is a private key, there is a public one.
  await writeFile(join(folder, privateFile), text, { mode: 0o600 });
  return text;
}
