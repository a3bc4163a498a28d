import type { ClientChange } from '../change.js';
import type { ApiSubject } from '@tablewright/runtime/model';
import type { BrokenOperation, RestUse } from './recorded.js';

/** A breaking change of REST, with the object it is about. */
export interface RestBreak {
  readonly subject: ApiSubject;
  readonly change: ClientChange;
}

/** The recorded requests over REST that use a name that is gone or has another meaning. */
export function brokenRequests(uses: readonly RestUse[], breaks: readonly RestBreak[]): readonly BrokenOperation[] {
  return uses.flatMap((use) =>
    breaks
      .filter((each) => concerns(use, each))
      .map(({ change }) => ({
        file: use.file,
        line: use.line,
        protocol: 'rest' as const,
        operation: `${use.method} ${use.table}`,
        begins: { file: use.file, line: use.line },
        message: change.description,
      })),
  );
}

/**
 * Changes of a table's inputs matter to writers; changes of a whole table matter to all clients.
 */
function concerns({ method, table, uses }: RestUse, { subject, change }: RestBreak): boolean {
  const { kind, object, member } = subject;
  const writes = method !== 'GET' && method !== 'HEAD';
  switch (change.code) {
    case 'REQUIRED_COLUMN_ADDED':
    case 'COLUMN_BECAME_REQUIRED':
      return (method === 'POST' || method === 'PUT') && table === object;
    case 'WRITE_REMOVED':
    case 'PRIMARY_KEY_CHANGED':
    case 'CONSTRAINT_REMOVED':
      return writes && table === object;
    case 'RELATION_RENAMED':
      // Most requests embed by the name of the table, and the log does not say.
      return false;
    case 'ENUM_VALUE_REMOVED':
    case 'ATTRIBUTE_REMOVED':
    case 'ATTRIBUTE_TYPE_CHANGED':
      return uses.some((use) => use.table === change.table && use.name === change.column);
    default:
      break;
  }
  if (kind === 'table') return table === object || uses.some((use) => use.table === object);
  return uses.some((use) => use.table === object && use.name === member);
}
