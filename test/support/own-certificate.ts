import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { succeed } from './program.js';

/** A certificate for `localhost` that signs itself. */
export interface OwnCertificate {
  readonly key: string;
  readonly cert: string;
  /** The file of the certificate, for clients that are to trust it. */
  readonly file: string;
  remove(): Promise<void>;
}

/** Makes a certificate with OpenSSL: Node.js has no function for that. */
export async function makeCertificate(): Promise<OwnCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-certificate-'));
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await succeed('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', file, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
  ]);
  return {
    key: await readFile(key, 'utf8'),
    cert: await readFile(file, 'utf8'),
    file,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
