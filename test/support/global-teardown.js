/**
 * Runs after all suites. What they have left behind makes the run fail, and so do wrong types. Jest
 * writes its report afterwards and only if this function does not throw.
 */
export default async function teardown() {
  // The process ends by itself, and the server of the run has ended.
  if (globalThis.run?.isInterrupted()) return new Promise(() => undefined);
  globalThis.places?.close();
  const databases = (await attempt('The server of the run', () => globalThis.sharedServer?.left())) ?? [];
  await attempt('The server of the run', () => globalThis.sharedServer?.stop());
  const wrongTypes = await attempt('The check of types', () => globalThis.checkTypedProjects?.());
  const left = [...databases, ...((await attempt('The end of the run', () => globalThis.run?.end())) ?? [])];
  if (wrongTypes !== undefined) fail('Generated code has errors of types', [wrongTypes]);
  if (left.length > 0) fail('The run has left behind', left);
}

/** Runs a step, and then the next ones, also if it fails: then the result is undefined. */
async function attempt(what, step) {
  try {
    return await step();
  } catch (error) {
    fail(`${what} failed`, [error.stack]);
    return undefined;
  }
}

function fail(what, lines) {
  process.stderr.write(`${what}:\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}
