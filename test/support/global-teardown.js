/** Runs after all suites. What they have left behind makes the run fail, and so do wrong types. */
export default async function teardown() {
  // The process ends by itself, and the server of the run has ended.
  if (globalThis.run?.isInterrupted()) return new Promise(() => undefined);
  globalThis.places?.close();
  const databases = (await globalThis.sharedServer?.left()) ?? [];
  await globalThis.sharedServer?.stop();
  const wrongTypes = await globalThis.checkTypedProjects?.();
  const left = [...databases, ...(globalThis.run?.end() ?? [])];
  if (wrongTypes !== undefined) fail('Generated code has errors of types', [wrongTypes]);
  if (left.length > 0) fail('The run has left behind', left);
}

function fail(what, lines) {
  process.stderr.write(`${what}:\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}
