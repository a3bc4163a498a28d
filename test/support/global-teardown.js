/** Runs after all suites. */
export default async function teardown() {
  await globalThis.stopSharedServer?.();
}
