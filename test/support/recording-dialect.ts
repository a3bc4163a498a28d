import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { ColumnType, Kind } from '../../runtime/src/descriptor/descriptor.js';
import type { Dialect, QueryBuilder } from '../../runtime/src/dialect/dialect.js';
import type { Driver, CustomSession, RunOptions } from '../../runtime/src/dialect/driver.js';
import type { FailureKind } from '../../runtime/src/errors.js';
import type { BoundStatement, RawRow, Slot } from '../../runtime/src/plan/statement.js';
import { operators } from '../../runtime/src/plan/operators.js';
import type { Count, Parameter } from '../../runtime/src/plan/parameter.js';
import type { Plan } from '../../runtime/src/plan/read/plan.js';
import type { HookRowsPlan } from '../../runtime/src/plan/write/hook-rows.js';
import type { WritePlan } from '../../runtime/src/plan/write/write-plan.js';

const noStatements = () => Promise.reject(new Error('there are no statements of the user’s own in memory'));
const noSession: CustomSession = { query: noStatements, savepoint: noStatements };

/** A failure of the database in memory. */
export class MemoryError extends Error {
  constructor(
    readonly kind: FailureKind,
    readonly constraint?: string,
  ) {
    super('what the database said');
  }
}

export interface Recording {
  readonly dialect: Dialect;
  readonly driver: Driver;
  readonly plans: (Plan | WritePlan | HookRowsPlan)[];
  readonly ran: { readonly statements: readonly BoundStatement[]; readonly options: RunOptions | undefined }[];
}

/**
 * A database in memory that records its plans and gives predefined answers: rows, or a failure. It
 * has no ranges and no vectors. It binds a value as `form:JSON`, in the order of the plan.
 */
export function recordingDialect(answer: () => readonly RawRow[] = () => []): Recording {
  const plans: Recording['plans'] = [];
  const ran: Recording['ran'] = [];
  const record = (plan: Plan | WritePlan | HookRowsPlan) => {
    const kind = 'kind' in plan ? plan.kind : 'rows';
    plans.push(plan);
    return { text: `${kind} ${String(plans.length)}`, slots: slotsIn(plan) };
  };
  const run: Driver['run'] = (statements, options) => {
    ran.push({ statements, options });
    return new Promise((resolve) => {
      resolve(answer());
    });
  };
  return {
    plans,
    ran,
    driver: {
      run,
      transaction: (work) => work(run, noSession),
      ping: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    dialect: {
      name: 'memory',
      speaks: (url) => url.startsWith('memory:'),
      types: derived,
      operators: new Set(operators.map(({ id }) => id).filter((id) => !id.startsWith('range'))),
      capabilities: {
        isGeometry: () => false,
        distinctOn: false,
        vector: false,
        callsInTransaction: true,
        callsByRpc: false,
        ordersWritten: true,
      },
      compileRead: record,
      compileHookRows: record,
      queryBuilder,
      compileWrite: (plan) =>
        plan.kind === 'call' || plan.kind === 'function'
          ? { kind: 'call', statement: record(plan) }
          : { kind: 'rows', statement: record(plan), empty: plan.empty },
      identity: ({ userId = '' }) => [{ text: 'identity', values: [userId] }],
      deferredChecks: [],
      changeFeeds: () =>
        Promise.resolve({ createChangeFeed: () => undefined, changesObstacle: () => Promise.resolve(undefined) }),
      failure: (error) =>
        error instanceof MemoryError
          ? { kind: error.kind, code: `memory.${error.kind}`, message: 'It failed.', constraint: error.constraint }
          : undefined,
      outage: () => undefined,
      createDriver: () => {
        throw new Error('the driver is there already');
      },
      checkAtStart: () => Promise.resolve([]),
      model: { columnTypes: () => () => text, vocabulary: [], operators: new Set(), callsUnlisted: false },
      connect: () => Promise.reject(new Error('there is no catalogue')),
      readCatalog: () => Promise.reject(new Error('there is no catalogue')),
    },
  };
}

const named = (kind: Kind): ColumnType => ({ kind, sql: { name: `memory ${kind}` } });
const text = named('text');
const derived: Dialect['types'] = {
  text,
  count: named('int'),
  length: named('int'),
  numeric: named('numeric'),
  float: named('float'),
  casts: new Map([['text', text]]),
};

/** All values of a plan, at any depth. */
function slotsIn(node: unknown): readonly Slot[] {
  if (typeof node !== 'object' || node === null) return [];
  if (isParameter(node)) return [{ bind: (inputs) => bound(node, inputs), ...subjectOf(node) }];
  if (isCount(node)) return [{ bind: (inputs) => `count:${String(node.read(inputs))}` }];
  return Object.values(node).flatMap(slotsIn);
}

const isParameter = (node: object): node is Parameter => 'value' in node && 'as' in node && 'type' in node;
const isCount = (node: object): node is Count => 'read' in node && Object.keys(node).length === 1;

const bound = ({ as, value }: Parameter, inputs: unknown): string => `${as}:${JSON.stringify(value.read(inputs))}`;
const subjectOf = ({ subject }: Parameter): Pick<Slot, 'subject'> => (subject === undefined ? {} : { subject });

/** The query builder of a database that none of our servers supports. */
const queryBuilder: QueryBuilder = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};
