import { importSPKI, jwtVerify } from 'jose';

/** How many tokens are remembered. The oldest is forgotten first. */
const MAX_TOKENS = 10_000;

interface Known<Session> {
  readonly session: Session;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** What an `Authorization` header stands for; undefined without a valid token. A promise only where the token is new. */
export type SessionOf<Session> = (
  authorization: string | undefined,
) => Session | undefined | Promise<Session | undefined>;

/**
 * Verifies tokens and remembers what they stand for until they expire. No peer comes with such a cache; all are given this one, because
 * to verify a signature anew takes longer than many of the requests.
 * @param publicKey PEM, SPKI, of ES256
 * @param open what a peer needs to know of a user, once for each token
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
