import { createJiti } from 'jiti';

/** Jest's own loader does not compile this module's imports. */
const { startSharedServer } = await createJiti(import.meta.url).import('./shared-server.ts');

/** Runs before all suites. Workers inherit the environment. */
export default async function setup() {
  globalThis.stopSharedServer = await startSharedServer();
}
