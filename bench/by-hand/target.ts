import { join } from 'node:path';
import { repository } from '../harness/child.js';
import type { Exchanges, Start, Target } from '../harness/target.js';
import { graphqlRequests } from '../targets/graphql-requests.js';
import { restRequests } from '../targets/rest-requests.js';

const start = (environment: Readonly<Record<string, string>> = {}): Start => ({
  args: [join(repository, 'node_modules/jiti/lib/jiti-cli.mjs'), 'bench/by-hand/server.ts'],
  cwd: repository,
  readyPath: '/health/ready',
  env: ({ url, token, claims }) => ({
    DATABASE_URL: url,
    BENCH_TOKEN: token,
    BENCH_CLAIMS: JSON.stringify(claims),
    ...environment,
  }),
});

/**
 * The hand-written server. It gets the same requests as the generated server and gives the same
 * answers.
 */
export const byHand: readonly Target[] = [
  { name: 'by hand', protocol: 'REST', start: start(), requests: restRequests },
  { name: 'by hand', protocol: 'GraphQL', start: start(), requests: graphqlRequests },
];

/** The workload that `withCare` has. */
const writes = ({ W4 }: Exchanges): Exchanges => (W4 === undefined ? {} : { W4 });

const careful = start({ BENCH_WITH_CARE: 'true' });

/** The same server with the generated server's guarantees about a write: `writeWithCare`. */
export const withCare: readonly Target[] = [
  { name: 'with care', protocol: 'REST', start: careful, requests: (data) => writes(restRequests(data)) },
  { name: 'with care', protocol: 'GraphQL', start: careful, requests: (data) => writes(graphqlRequests(data)) },
];
