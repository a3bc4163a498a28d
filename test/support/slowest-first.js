import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/**
 * The slowest suites, the slowest first. In a clean clone Jest has no durations and begins with the
 * largest files: one worker would still run a slow suite minutes after the other has finished.
 */
const slowest = [
  'test/e2e/mysql/procedures.test.ts',
  'test/e2e/packed.slow.test.ts',
  'test/e2e/tenants/many.slow.test.ts',
  'test/e2e/openapi/proxy.slow.test.ts',
  'test/e2e/cli-interruption.slow.test.ts',
  'test/e2e/replicas/galera.slow.test.ts',
  'test/runtime/console/console.slow.test.ts',
  'test/e2e/demo.slow.test.ts',
  'test/e2e/workers/kills.slow.test.ts',
  'test/e2e/relay/served.slow.test.ts',
  'test/e2e/follow.slow.test.ts',
  'test/runtime/console/explorer.slow.test.ts',
  'test/e2e/tutorial.slow.test.ts',
  'test/hostile/kills.test.ts',
  'test/e2e/workers/reload.slow.test.ts',
  'test/e2e/migration-guide.slow.test.ts',
  'test/runtime/changes/unreported.test.ts',
  'test/e2e/recipes.slow.test.ts',
  'test/e2e/replicas/postgres.slow.test.ts',
  'test/e2e/board.slow.test.ts',
  'test/runtime/console/thousand-tables.slow.test.ts',
  'test/e2e/workers/workers.slow.test.ts',
  'test/runtime/console/rows.slow.test.ts',
  'test/oracle/oracle.slow.test.ts',
  'test/runtime/session/silence.slow.test.ts',
  'test/runtime/changes/hub.slow.test.ts',
  'test/e2e/drift-setups.slow.test.ts',
  'test/runtime/graphql/graphiql.slow.test.ts',
  'test/runtime/changes/silence.slow.test.ts',
  'test/e2e/names/demo.slow.test.ts',
  'test/e2e/workers/changes.slow.test.ts',
  'test/e2e/hostile.slow.test.ts',
  'test/runtime/console/people.slow.test.ts',
  'test/e2e/mysql/differential/differential.slow.test.ts',
  'test/runtime/roles/schema-by-role.test.ts',
  'test/e2e/mysql/time-limit.slow.test.ts',
  'test/e2e/postgrest/plan.test.ts',
  'test/e2e/whole-way.test.ts',
  'test/runtime/mysql/driver.test.ts',
  'test/runtime/mysql/connecting.slow.test.ts',
  'test/e2e/names/cases.slow.test.ts',
  'test/e2e/real-schemas.slow.test.ts',
  'test/runtime/console/requests.slow.test.ts',
  'test/e2e/mysql/drift.slow.test.ts',
  'test/e2e/openapi/lint.slow.test.ts',
  'test/runtime/mcp/leaks.slow.test.ts',
  'test/e2e/clients.slow.test.ts',
  'test/e2e/drift-protected.slow.test.ts',
  'test/runtime/server/first-contact.slow.test.ts',
  'test/e2e/tenants/tenants.slow.test.ts',
  'test/e2e/cli-dev.slow.test.ts',
  'test/runtime/server/slow-readers.slow.test.ts',
  'test/e2e/demo-transactions.slow.test.ts',
  'test/e2e/mysql/demo/demo.slow.test.ts',
  'test/security/leaks.test.ts',
  'test/e2e/mysql/types/types.slow.test.ts',
  'test/e2e/cli.test.ts',
  'test/runtime/graphql/nodes.test.ts',
  'test/runtime/session/sharing.test.ts',
  'test/runtime/changes/changes.test.ts',
  'test/runtime/mysql/changes.slow.test.ts',
  'test/runtime/graphql/cursors.slow.test.ts',
  'test/runtime/session/faults.slow.test.ts',
  'test/e2e/cli-bad-input.slow.test.ts',
  'test/e2e/tenants/changes.slow.test.ts',
  'test/e2e/drift.slow.test.ts',
  'test/hostile/sessions.slow.test.ts',
  'test/runtime/server/shutdown.slow.test.ts',
  'test/e2e/mysql/database-names.slow.test.ts',
  'test/e2e/engines/capabilities.slow.test.ts',
  'test/e2e/log-lines.test.ts',
  'test/runtime/mcp/server.slow.test.ts',
];

/**
 * Runs slow suites first, so that the workers finish together. Durations that Jest has measured on
 * this machine take precedence over the list.
 */
export default class SlowestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    const rank = ({ path, context }) => {
      const at = slowest.indexOf(relative(context.config.rootDir, path).replaceAll('\\', '/'));
      return at < 0 ? slowest.length : at;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
