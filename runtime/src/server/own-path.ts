import { restPath } from '../descriptor/naming.js';
import { misconfigured } from '../errors.js';

/** The paths that every server has. */
const taken = ['/graphql', restPath, '/health', '/console', '/schema.graphql'];

/**
 * Checks a path that a setting or custom code names.
 * @param where what names it, for the message
 * @throws ServerError `misconfigured` for a text that is not a path
 */
export function checkPath(path: string, where: string, example: string): void {
  if (/^(?:\/[\w.~-]+)+$/.test(path)) return;
  throw misconfigured(
    `\`${path}\` in ${where} is not a path.`,
    `A path begins with \`/\` and does not end with it, as in ${example}.`,
  );
}

/**
 * Checks a path for an API of its own.
 * @param others paths that are taken, besides those of every server
 * @throws ServerError `misconfigured` for a text that is not a path, and for a path that is taken
 */
export function checkOwnPath(path: string, where: string, example: string, others: readonly string[] = []): void {
  checkPath(path, where, example);
  const other = [...taken, ...others].find((each) => isUnder(path, each) || isUnder(each, path));
  if (other !== undefined)
    throw misconfigured(`\`${path}\` in ${where} is the place of ${other}.`, `Choose another, as ${example}.`);
}

const isUnder = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);
