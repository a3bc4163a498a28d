import { importSPKI, jwtVerify } from 'jose';

/** Largest number of remembered tokens. The oldest token is dropped first. */
const MAX_TOKENS = 10_000;

interface Known<Session> {
  readonly session: Session;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly expires: number;
}

/**
 * The session of an `Authorization` header; undefined without a valid token. Returns a promise only
 * for a new token.
 */
export type SessionOf<Session> = (
  authorization: string | undefined,
) => Session | undefined | Promise<Session | undefined>;

/**
 * Verifies tokens and remembers their sessions until they expire. No peer has such a cache of its
 * own, and verifying a signature takes longer than many of the requests, so all peers get this
 * cache.
 * @param publicKey PEM, SPKI, of ES256
 * @param open makes the session of a user, once for each token
 */
export async function createSessions<Session>(
  publicKey: string,
  open: (user: string) => Session,
): Promise<SessionOf<Session>> {
  const key = await importSPKI(publicKey, 'ES256');
  const known = new Map<string, Known<Session>>();

  async function verify(authorization: string): Promise<Session | undefined> {
    const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
    if (token === undefined) return undefined;
    const claims = await jwtVerify(token, key, { algorithms: ['ES256'] }).then(
      ({ payload }) => payload,
      () => undefined,
    );
    if (claims?.sub === undefined) return undefined;
    const oldest = known.size < MAX_TOKENS ? undefined : known.keys().next().value;
    if (oldest !== undefined) known.delete(oldest);
    const session = open(claims.sub);
    known.set(authorization, { session, expires: (claims.exp ?? Infinity) * 1000 });
    return session;
  }

  return (authorization) => {
    if (authorization === undefined) return undefined;
    const found = known.get(authorization);
    return found !== undefined && found.expires > Date.now() ? found.session : verify(authorization);
  };
}
