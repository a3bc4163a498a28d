import { Kind } from 'graphql';
import type { Rename } from './renames/index.js';
import { changesOf, countChanges, type ChangeGroup, type ClientChange, type Severity } from './change.js';
import { compareApis, renameText, type ApiState } from './compare.js';
import { brokenOperations } from './documents/broken.js';
import { brokenRequests } from './documents/broken-rest.js';
import type { BrokenOperation, Recorded } from './documents/recorded.js';

export { severities, type ChangeGroup, type ClientChange, type Severity } from './change.js';
export type { ApiState } from './compare.js';
export { namingIn } from './committed-naming.js';
export { findFiles, isScript, readRecorded, type FoundFile } from './documents/read.js';
export type { BrokenOperation, Recorded } from './documents/recorded.js';
export { findRelationRenames, findRenames, placeText, type Place, type Rename } from './renames/index.js';
export { renameText } from './compare.js';
export { schemaOf } from './graphql-changes.js';
export { objectOf } from './graphql-names.js';

/** The effect of a migration on clients. */
export interface ApiReport {
  readonly breaking: boolean;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly renames: readonly (Rename & { readonly description: string })[];
  readonly groups: readonly ChangeGroup[];
  readonly changes: readonly ClientChange[];
  /** Of recorded requests; undefined when none were given. */
  readonly operations: OperationReport | undefined;
}

export interface OperationReport {
  /** How many operations and kinds of requests were checked. */
  readonly checked: number;
  /** How many of them break. */
  readonly breaking: number;
  /** Every place at which they break. */
  readonly broken: readonly BrokenOperation[];
}

/** Compares what two states serve, and finds the recorded requests that stop working. Pure. */
export function reportApi(before: ApiState, after: ApiState, recorded?: Recorded): ApiReport {
  const compared = compareApis(before, after);
  const changes = changesOf(compared);
  const counts = countChanges(changes);
  const { groups } = compared;
  return {
    breaking: counts.breaking > 0,
    counts,
    renames: compared.renames.map((rename) => ({ ...rename, description: renameText(rename) })),
    groups,
    changes,
    operations: recorded === undefined ? undefined : checkRecorded(recorded, compared),
  };
}

function checkRecorded({ documents, rest }: Recorded, compared: ReturnType<typeof compareApis>): OperationReport {
  const operations = documents
    .flatMap(({ definitions }) => definitions)
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const breaks = compared.groups.flatMap(({ subject, changes }) =>
    subject === undefined
      ? []
      : changes
          .filter(({ protocol, severity }) => protocol === 'rest' && severity === 'breaking')
          .map((change) => ({ subject, change })),
  );
  const broken = [...brokenOperations(documents, compared), ...brokenRequests(rest, breaks)];
  const breaking = new Set(broken.map(({ begins, operation }) => JSON.stringify([begins, operation]))).size;
  return { checked: operations.length + rest.length, breaking, broken };
}
