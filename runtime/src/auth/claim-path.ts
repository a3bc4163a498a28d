import { misconfigured } from '../errors.js';
import { isRecord } from '../is-record.js';

/** A step of a path: `.name`, `."any name"` or `[0]`. */
const STEP = /\.(?:"([^"]+)"|([\w$@:/-]+))|\[(\d+)\]/y;

/** Finds the claim that names the role, among the claims of a token. */
export type FindRole = (claims: Readonly<Record<string, unknown>>) => unknown;

/**
 * How the role is found by `app.security.role-claim`: a name of a claim, or, where the setting
 * begins with `.` or `$.`, a path as PostgREST's `jwt-role-claim-key` writes it:
 * `.app_metadata.role`, `$."https://example.com/role"`, `.roles[0]`. `.realm_access.roles[*]` is a
 * list of groups of the user: the first of the allowed roles in it counts, and a list without any
 * names no role. Throws ServerError `misconfigured` for a path that cannot be read.
 */
export function createFindRole(setting: string, allowed: readonly string[]): FindRole {
  const ofList = isPath.test(setting) && setting.endsWith(LIST);
  const find = createFindClaim(ofList ? setting.slice(0, -LIST.length) : setting, 'app.security.role-claim');
  if (!ofList) return find;
  return (claims) => {
    const groups = find(claims);
    return Array.isArray(groups) ? allowed.find((role) => groups.includes(role)) : groups;
  };
}

const LIST = '[*]';
const isPath = /^\$?\./;

/**
 * Finds a claim by its name, or by a path of names and indexes. Throws ServerError `misconfigured`
 * for a path that cannot be read.
 * @param place where the name is written, for the error
 */
export function createFindClaim(name: string, place: string): FindRole {
  if (!isPath.test(name)) return (claims) => memberOf(claims, name);
  const path = stepsOf(name.replace(/^\$/, ''), place);
  return (claims) => path.reduce<unknown>(memberOf, claims);
}

function stepsOf(path: string, place: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    if (match === null) {
      throw misconfigured(
        `\`${path}\` in ${place} is not a path of claims.`,
        'Write the name of a claim, or a path such as `.realm_access.roles[*]` or `."https://example.com/role"`.',
      );
    }
    const [, quoted, name = quoted, index] = match;
    steps.push(name ?? Number(index));
  }
  return steps;
}

/** Own properties only: a claim named `constructor` is just a claim. */
function memberOf(value: unknown, step: string | number): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
