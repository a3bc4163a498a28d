import { codes, ServerError } from '../errors.js';
import type { Driver, Identity, RunOptions } from './driver.js';
import { bindStatement, identityStatement } from './session.js';
import type { BoundStatement, RawRow, Statement } from './statement.js';
import { insertTree } from './write-tree.js';
import type { CallProgram, RowsProgram, WriteProgram, Written } from './write-program.js';

/** One write of a request. */
export interface WriteJob {
  readonly program: WriteProgram;
  readonly inputs: unknown;
  /** Looks at what was written before it is kept: what it throws undoes everything. */
  readonly check?: (written: Written) => void;
}

export interface WriteOptions extends RunOptions {
  /** Runs everything, answers what it would be, and keeps nothing. */
  readonly dryRun?: boolean;
}

/** A write that failed, and which of them: nothing of the others was kept either. */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure';

  constructor(
    readonly at: number,
    readonly error: unknown,
  ) {
    super('a write failed', { cause: error });
  }
}

/**
 * Runs writes as the one who asks, in this order and in one transaction: all or nothing. One that needs nothing but its own statement is one round
 * trip; it is never run twice.
 * @throws WriteFailure with what the driver, a slot or a check threw
 */
export function runWrites(
  driver: Driver,
  jobs: readonly WriteJob[],
  identity: Identity,
  options: WriteOptions = {},
): Promise<readonly Written[]> {
  const [job, ...more] = jobs;
  if (job === undefined) return Promise.resolve([]);
  if (more.length === 0 && options.dryRun !== true && isPlain(job)) return runPlain(driver, job, identity, options);
  return runInTransaction(driver, jobs, identity, options);
}

/** Nothing has to be looked at before it is kept, and the program is one statement. */
const isPlain = ({ program, check }: WriteJob): boolean =>
  check === undefined &&
  (program.kind === 'call'
    ? program.answer === undefined
    : program.statement !== undefined && program.readBack === undefined && program.atMost === undefined);

async function runPlain(
  driver: Driver,
  { program, inputs }: WriteJob,
  identity: Identity,
  options: RunOptions,
): Promise<readonly [Written]> {
  try {
    const { statement } = program;
    if (statement === undefined) throw new TypeError('the program has no statement of its own');
    const bound = bindStatement(statement, inputs);
    const statements = withIdentity(identity, [bound]);
    if (program.kind === 'call') {
      const [row] = await driver.run(statements, { write: true, procedure: true, ...options });
      return [writtenByCall(program, row?.[0] ?? null)];
    }
    const writes = program.oneRow === true ? oneRow : anyRows;
    const [row] = await driver.run(statements, { ...writes, ...options });
    return [writtenBy(program, row)];
  } catch (error) {
    throw new WriteFailure(0, error);
  }
}

const anyRows = { write: true } as const;
const oneRow = { write: true, oneRow: true } as const;

/** A dry run is a transaction that throws what it would have answered. */
class DryRun extends Error {
  constructor(readonly written: readonly Written[]) {
    super('a dry run is rolled back');
  }
}

/** What a commit would check, and a rollback would not. */
const checkDeferred: BoundStatement = { text: 'set constraints all immediate', values: [] };

async function runInTransaction(
  driver: Driver,
  jobs: readonly WriteJob[],
  identity: Identity,
  { dryRun, ...options }: WriteOptions,
): Promise<readonly Written[]> {
  const place = { at: 0 };
  try {
    return await driver.transaction(async (run) => {
      let opening = identityStatement(identity);
      const runOne: RunOne = async (statement, inputs) => {
        const bound = bindStatement(statement, inputs);
        const statements = opening === undefined ? [bound] : [opening, bound];
        opening = undefined;
        return run(statements);
      };
      const written: Written[] = [];
      for (const [at, job] of jobs.entries()) {
        place.at = at;
        written.push(await runJob(job, runOne));
      }
      if (dryRun === true) {
        await run([checkDeferred]);
        throw new DryRun(written);
      }
      return written;
    }, options);
  } catch (error) {
    if (error instanceof DryRun) return error.written;
    throw new WriteFailure(place.at, error);
  }
}

type RunOne = (statement: Statement, inputs: unknown) => Promise<readonly RawRow[]>;

async function runJob({ program, inputs, check }: WriteJob, run: RunOne): Promise<Written> {
  const written = program.kind === 'call' ? await runCall(program, inputs, run) : await runRows(program, inputs, run);
  check?.(written);
  return written;
}

async function runCall(program: CallProgram, inputs: unknown, run: RunOne): Promise<Written> {
  const [row = []] = await run(program.statement, inputs);
  if (program.answer === undefined) return writtenByCall(program, row[0] ?? null);
  const [answer = []] = await run(program.answer, row);
  return writtenByCall(program, answer[0] ?? null);
}

const writtenByCall = ({ silent }: CallProgram, text: string | null): Written => ({
  text: silent === true ? '{"result":"OK"}' : text,
  affected: 0,
  created: 0,
  keys: undefined,
});

async function runRows(program: RowsProgram, inputs: unknown, run: RunOne): Promise<Written> {
  const most = program.atMost?.(inputs);
  const rows =
    program.tree === undefined
      ? await run(required(program.statement), inputs)
      : [await insertTree(program.tree, program.tree.rows(inputs), run)];
  const written = writtenBy(program, rows[0]);
  if (most !== undefined && written.affected > most) throw tooManyRows(written.affected, most);
  if (program.readBack === undefined || written.affected === 0) return written;
  const [answer = []] = await run(program.readBack, rows[0]?.[3] ?? '[]');
  return { ...written, text: answer[0] ?? program.empty };
}

function required(statement: Statement | undefined): Statement {
  if (statement === undefined) throw new TypeError('a write has neither a statement nor nested rows');
  return statement;
}

function writtenBy({ empty }: RowsProgram, row: RawRow | undefined): Written {
  const [text = null, affected = '0', created = '0', keys = null] = row ?? [];
  return {
    text: text ?? empty,
    affected: Number(affected),
    created: Number(created),
    keys: keys === null ? undefined : (JSON.parse(keys) as readonly RawRow[]),
  };
}

const withIdentity = (identity: Identity, statements: readonly BoundStatement[]): readonly BoundStatement[] => {
  const claims = identityStatement(identity);
  return claims === undefined ? statements : [claims, ...statements];
};

/** More rows than the client allowed: whatever was written is undone. */
const tooManyRows = (found: number, most: number): ServerError =>
  new ServerError(400, codes.limitExceeded, `The request would write ${found} rows, more than the ${most} it allows.`, {
    hint: 'Nothing was written. Filter more narrowly, or allow more.',
  });
