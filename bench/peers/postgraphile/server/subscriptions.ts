import './with-resolvers.js';
import { createServer } from 'node:http';
import { context, get, listen, type Step } from 'postgraphile/grafast';
import { jsonParse } from 'postgraphile/@dataplan/json';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { extendSchema, gql } from 'postgraphile/utils';
import { environment } from '../../shared/server/environment.js';

const { databaseUrl, poolSize, port, host } = environment;

/** The form of PostGraphile's manual: a trigger notifies the key, and the field reads the row. */
const changes = extendSchema((build) => {
  const issues = build.input.pgRegistry.pgResources['issues'];
  if (issues === undefined) throw new Error('There is no table issues.');
  return {
    typeDefs: gql`
      extend type Subscription {
        issueChanged: IssueChange
      }
      type IssueChange {
        operation: String
        data: Issue
      }
    `,
    objects: {
      Subscription: {
        plans: {
          issueChanged: {
            subscribePlan: () => listen(context().get('pgSubscriber'), 'issues', jsonParse),
            plan: ($event: Step) => $event,
          },
        },
      },
      IssueChange: {
        plans: {
          operation: ($event) => get($event, 'operation'),
          data: ($event) => issues.get({ id: get($event, 'id') }),
        },
      },
    },
  };
});

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [changes],
  pgServices: [
    makePgService({ connectionString: databaseUrl, schemas: ['live'], pubsub: true, poolConfig: { max: poolSize } }),
  ],
  grafast: { explain: false },
  grafserv: { graphiql: false, watch: false, websockets: true },
};

const service = postgraphile(preset).createServ(grafserv);
await service.ready();
const upgrade = await service.getUpgradeHandler();
if (upgrade === null) throw new Error('PostGraphile takes no WebSockets.');
createServer((_request, response) => response.end())
  .on('upgrade', upgrade)
  .listen(port, host);

process.on('SIGTERM', () => process.exit(0));
