import { copyFile, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clients, describeClients } from '../../support/client-packages.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { runProgram, succeed } from '../../support/program.js';
import { markdownFiles } from '../../support/readme.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/** Relay's compiler and its runtime, set up as docs/relay.md describes. */

const tool = (name: string): string => join(clients, 'node_modules/.bin', name);

const script = `
const relay = require('relay-runtime');
const { environment } = require('./out/environment.js');
const [board, refetch, fragment] = ['issueBoardQuery', 'issueRefetchQuery', 'issue'].map(
  (name) => require('./out/__generated__/' + name + '.graphql.js').default,
);

const relayed = environment(process.env.SERVER);
const fetchOnce = (query, variables) => relay.fetchQuery(relayed, query, variables).toPromise();
const rowsOf = (variables) => {
  const request = relay.createOperationDescriptor(board, variables);
  const { data } = relayed.lookup(request.fragment);
  return data.kanbanIssuesConnection.edges.map(({ node }) => node);
};
const show = (row) => relayed.lookup(relay.getSingularSelector(fragment, row)).data;

async function main() {
await fetchOnce(board, { first: 2, after: null });
const [first, second] = rowsOf({ first: 2, after: null });
const before = [show(first), show(second)];
const id = fragment.metadata.refetch.identifierInfo.identifierQueryVariableName;
await fetchOnce(refetch, { [id]: second.__id });
const again = relayed.lookup(relay.createOperationDescriptor(refetch, { [id]: second.__id }).fragment).data;
console.log(JSON.stringify({ before, id, again: show(again.node), same: again.node.__id === second.__id }));
}
void main();
`;

describeClients('Relay', () => {
  let folder: string;
  let server: DemoServer;

  beforeAll(async () => {
    server = await startDemoServer({ config: { schemas: ['kanban', 'shop'], relay: {} } });
    folder = await scratchFolder('relay');
    await cp(join(clients, 'relay'), folder, { recursive: true });
    await symlink(join(clients, 'node_modules'), join(folder, 'node_modules'));
    // Relay's artifacts import each other without a file extension, which bundlers and CommonJS
    // resolve.
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
    await copyFile(join(server.folder, 'dist/generated/schema.graphql'), join(folder, 'schema.graphql'));
    for (const [path, text] of markdownFiles('docs/relay.md')) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('compiles a @refetchable fragment of a table', async () => {
    const { code, stdout, stderr } = await runProgram(tool('relay-compiler'), ['relay.config.json'], { cwd: folder });
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('ERROR')]);
    await succeed(tool('tsc'), ['-p', folder]);
  });

  test('refetches a row by its global identifier', async () => {
    await writeFile(join(folder, 'refetch.js'), script);
    const printed = await succeed(process.execPath, ['refetch.js'], {
      cwd: folder,
      env: { NODE_OPTIONS: '', SERVER: `${server.base}/graphql` },
    });
    const { before, ...rest } = JSON.parse(printed) as { before: unknown[] };
    expect(before).toEqual([
      {
        id: 1,
        title: expect.any(String) as string,
        nodeId: expect.any(String) as string,
        kanbanProjectId: { key: expect.any(String) as string },
      },
      {
        id: 2,
        title: expect.any(String) as string,
        nodeId: expect.any(String) as string,
        kanbanProjectId: { key: expect.any(String) as string },
      },
    ]);
    expect(rest).toEqual({ id: 'nodeId', again: before[1], same: true });
  });
});
