import type { ConstraintMessage } from '../descriptor/descriptor.js';
import { restNameOf, type Registry, type Table } from '../descriptor/registry.js';
import { uniqueKeys } from '../descriptor/unique-keys.js';
import type { Dialect } from '../dialect/dialect.js';
import type { DatabaseFailure, FailedStatement } from '../plan/failure.js';
import { ServerError } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { failureAnswer } from './failure-answer.js';
import { toServerError } from './server-error.js';
import { unusableValue } from './unusable-value.js';

/** What an explanation is looked up in. */
export interface Known {
  readonly registry: Registry;
  readonly settings: Pick<Settings, 'app.errors.database-messages'>;
  readonly dialect: Pick<Dialect, 'failure'>;
}

/**
 * The failure of a statement, with the catalogue's facts about the constraint that it broke: its
 * columns, and the comment that the database's author wrote on it. Values are never shown.
 * Source: decision 006.
 */
export function explainFailure(error: unknown, statement: FailedStatement | undefined, known: Known): ServerError {
  const { registry, settings, dialect } = known;
  const found = error instanceof ServerError ? undefined : dialect.failure(error, statement, registry);
  if (found === undefined) return toServerError(error);
  if (found.hook !== undefined) return unusableValue(found.hook, found.subject, error);
  const failure = registry.restNames === 'field' ? byClientNames(found, statement, registry) : found;
  const broken = failure.constraint === undefined ? undefined : brokenIn(failure, statement, registry);
  return failureAnswer(failure, error, {
    showsMessages: settings['app.errors.database-messages'],
    constraintMessage: broken?.message,
    constraintColumns: broken?.columns,
  });
}

/** The same with the names that clients have for columns. */
function byClientNames(
  failure: DatabaseFailure,
  statement: FailedStatement | undefined,
  registry: Registry,
): DatabaseFailure {
  const { column, suspect, schema, table: name } = failure;
  const named = registry.schemas.get(schema ?? '')?.get(name ?? '');
  const written = statement?.table;
  const own = written && registry.schemas.get(written.schema)?.get(written.name);
  const [at, of] = [named ?? own, own ?? named];
  return {
    ...failure,
    ...(column === undefined || at === undefined ? {} : { column: restNameOf(at, column) }),
    ...(suspect === undefined || of === undefined ? {} : { suspect: restNameOf(of, suspect) }),
  };
}

interface Broken {
  readonly columns: readonly string[] | undefined;
  readonly message: string | undefined;
}

/**
 * The table that the database names. If the database names a partition, which is not served, the
 * written table.
 */
function brokenIn(failure: DatabaseFailure, statement: FailedStatement | undefined, registry: Registry): Broken {
  const { constraint, domain, schema, table: name } = failure;
  if (domain !== undefined) return { columns: undefined, message: messageOfDomain(failure, registry) };
  const table = registry.schemas.get(schema ?? '')?.get(name ?? '');
  const written = statement?.table;
  const holder = table ?? registry.schemas.get(written?.schema ?? '')?.get(written?.name ?? '');
  const message = holder?.constraintMessages?.find((each) => isOf(each, constraint, undefined))?.message;
  const columns = table === undefined ? undefined : columnsOf(table, constraint);
  return { columns: columns?.map((column) => (table === undefined ? column : restNameOf(table, column))), message };
}

function messageOfDomain({ constraint, schema, domain }: DatabaseFailure, registry: Registry) {
  for (const { constraintMessages = [] } of registry.tables) {
    const found = constraintMessages.find((each) => isOf(each, constraint, `${schema ?? ''}.${domain ?? ''}`));
    if (found !== undefined) return found.message;
  }
  return undefined;
}

const isOf = (each: ConstraintMessage, constraint: string | undefined, domain: string | undefined): boolean =>
  each.constraint === constraint && each.domain === domain;

const columnsOf = (table: Table, constraint: string | undefined): readonly string[] | undefined =>
  keyColumns(table, constraint) ?? foreignColumns(table, constraint);

const keyColumns = (table: Table, constraint: string | undefined) =>
  uniqueKeys(table).find((key) => key.name === constraint)?.columns;

/**
 * A deleted row's error names the table that refers to it: the foreign key is that table's own,
 * too.
 */
const foreignColumns = ({ relations = [] }: Table, constraint: string | undefined) =>
  relations.find((relation) => relation.direction === 'forward' && relation.constraint === constraint)?.columns;
