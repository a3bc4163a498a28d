/**
 * A package that only some servers need; undefined where it is not installed.
 * @param module a module of it. Default: its main module
 */
export async function optionalPackage(name: string, module = name): Promise<unknown> {
  try {
    return await import(module);
  } catch (error) {
    if (isMissing(error, name)) return undefined;
    throw error;
  }
}

/** Whether an import failed because this package is not installed. */
export function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const { code, message } = error;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(`'${name}'`);
}
