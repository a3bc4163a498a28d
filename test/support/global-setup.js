import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createJiti } from 'jiti';

/** Jest's own loader does not compile these modules. */
const load = (path) => createJiti(import.meta.url).import(path);

/** Runs before all suites. Workers inherit the environment. */
export default async function setup() {
  const [{ beginRun }, { describeFacts, findMachine }] = [
    await load('./leaks/run.ts'),
    await load('./machine/machine.ts'),
  ];
  globalThis.run = await beginRun();
  process.stderr.write(`${describeFacts(await findMachine())}\n`);
  const { openTypedProjects, checkTypedProjects } = await load('./typed-projects.ts');
  await openTypedProjects();
  globalThis.checkTypedProjects = checkTypedProjects;
  const { startSharedServer } = await load('./shared-server.ts');
  globalThis.sharedServer = await startSharedServer();
  const { openPlaces } = await load('./places/server.ts');
  process.env.TEST_PLACES = join(process.env.TEST_RUN, 'places');
  // One more than processors: such a suite also waits for downloads, browsers and timers.
  globalThis.places = await openPlaces(process.env.TEST_PLACES, availableParallelism() + 1);
}
