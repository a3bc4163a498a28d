import { copyWith } from '../copy-with.js';
import { codes, ServerError } from '../errors.js';
import type { Driver, Identity, RunOptions } from '../dialect/driver.js';
import { bindStatement } from './run-statement.js';
import type { BoundStatement, RawRow, Statement } from '../plan/statement.js';
import { withAnswer } from '../plan/intent.js';
import { insertTree } from './insert-tree.js';
import type { WriteJob } from './prepared-write.js';
import {
  runWrite,
  type AloneStatement,
  type CallProgram,
  type RowsProgram,
  type RunOne,
  type Steps,
  type Written,
} from '../plan/write-program.js';

export interface WriteOptions extends RunOptions {
  /** Runs everything, then the checks of a commit, returns the result, and rolls back. */
  readonly dryRun?: readonly BoundStatement[];
}

/** The failure of one of several writes. Nothing of any of them is kept. */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure';

  /**
   * @param at the position of the failed write; undefined if the writes failed together, at their
   * commit
   * @param statement the failed statement, if a single statement failed
   */
  constructor(
    readonly at: number | undefined,
    readonly error: unknown,
    readonly statement?: Statement,
  ) {
    super('a write failed', { cause: error });
  }
}

/**
 * Runs writes as the caller, in this order and in one transaction: all or nothing. A single write
 * that needs only its own statement is one round trip; it is never run twice.
 * @throws WriteFailure with the error of the driver, a slot or a check
 */
export function runWrites(
  driver: Pick<Driver, 'run' | 'transaction'>,
  jobs: readonly WriteJob[],
  identity: Identity,
  options: WriteOptions = {},
): Promise<readonly Written[]> {
  const [job, ...more] = jobs;
  if (job === undefined) return Promise.resolve([]);
  let alone: AloneStatement | undefined;
  try {
    if (more.length === 0 && options.dryRun === undefined) alone = aloneOf(job);
  } catch (error) {
    return Promise.reject(new WriteFailure(0, error));
  }
  if (alone !== undefined) return runAlone(driver, job, alone, identity, options);
  return runInTransaction(driver, jobs, identity, options);
}

/**
 * The statement of a program that is one statement, if nothing has to be checked before the commit.
 */
function aloneOf({ program, inputs, check }: WriteJob): AloneStatement | undefined {
  const { statement } = program;
  if (check !== undefined || statement === undefined) return undefined;
  const isAll =
    program.kind === 'call'
      ? program.answer === undefined
      : program.readBack === undefined && program.atMost === undefined;
  if (!isAll) return undefined;
  return 'perform' in statement ? statement.alone?.(inputs) : { statement, inputs, answer: firstRow };
}

const firstRow = ([row]: readonly RawRow[]): RawRow | undefined => row;

async function runAlone(
  driver: Pick<Driver, 'run'>,
  { program, rowFilter }: WriteJob,
  { statement, inputs, answer }: AloneStatement,
  identity: Identity,
  options: RunOptions,
): Promise<readonly [Written]> {
  try {
    const bound = bindStatement(statement, inputs, rowFilter);
    const row = answer(await driver.run([bound], copyWith(options, { write: true as const, identity })));
    return [program.kind === 'call' ? writtenByCall(program, row ?? []) : writtenBy(program, row)];
  } catch (error) {
    throw new WriteFailure(0, error, statement);
  }
}

/** A dry run is a transaction that throws its answer. */
export class DryRun extends Error {
  constructor(readonly written: readonly Written[]) {
    super('a dry run is rolled back');
  }
}

async function runInTransaction(
  driver: Pick<Driver, 'transaction'>,
  jobs: readonly WriteJob[],
  identity: Identity,
  { dryRun, ...options }: WriteOptions,
): Promise<readonly Written[]> {
  const after = options.session?.after;
  const place: { at: number | undefined; statement: Statement | undefined } = { at: 0, statement: undefined };
  try {
    return await driver.transaction(
      async (run) => {
        const written: Written[] = [];
        for (const [at, job] of jobs.entries()) {
          place.at = at;
          const runOne: RunOne = async (statement, inputs) => {
            place.statement = statement;
            return run([bindStatement(statement, inputs, job.rowFilter)]);
          };
          written.push(await runJob(job, runOne));
        }
        place.statement = undefined;
        if (jobs.length > 1) place.at = undefined;
        if (after !== undefined) after.answered((await run([after.statement]))[0]);
        if (dryRun !== undefined) {
          if (dryRun.length > 0) await run(dryRun);
          throw new DryRun(written);
        }
        return written;
      },
      copyWith(options, { identity }),
    );
  } catch (error) {
    if (error instanceof DryRun) return error.written;
    throw new WriteFailure(place.at, error, place.statement);
  }
}

async function runJob({ program, inputs, check }: WriteJob, run: RunOne): Promise<Written> {
  const written = program.kind === 'call' ? await runCall(program, inputs, run) : await runRows(program, inputs, run);
  check?.(written);
  return written;
}

async function runCall(program: CallProgram, inputs: unknown, run: RunOne): Promise<Written> {
  const row = (await runWrite(program.statement, inputs, run)) ?? [];
  if (program.answer === undefined) return writtenByCall(program, row);
  const [answer = []] = await run(program.answer, withAnswer(inputs, row));
  return writtenByCall(program, answer);
}

const writtenByCall = ({ silent }: CallProgram, answered: RawRow): Written => ({
  text: silent === true ? '{"result":"OK"}' : (answered[0] ?? null),
  answered,
  affected: 0,
  created: 0,
  keys: undefined,
});

async function runRows(program: RowsProgram, inputs: unknown, run: RunOne): Promise<Written> {
  const most = program.atMost?.(inputs);
  const row =
    program.tree === undefined
      ? await runWrite(required(program.statement), inputs, run)
      : await insertTree(program.tree, program.tree.rows(inputs), run);
  const written = writtenBy(program, row);
  if (most !== undefined && written.affected > most) throw tooManyRows(written.affected, most);
  if (program.readBack === undefined || written.affected === 0) return written;
  const [answer = []] = await run(program.readBack, withAnswer(inputs, row?.[3] ?? '[]'));
  return { ...written, text: answer[0] ?? program.empty };
}

function required(statement: Statement | Steps | undefined): Statement | Steps {
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

/**
 * The error of a write that found more rows than the client allowed. Its transaction is rolled
 * back.
 */
const tooManyRows = (found: number, most: number): ServerError =>
  new ServerError(
    400,
    codes.limitExceeded,
    `The request would write ${String(found)} rows, more than the ${String(most)} it allows.`,
    {
      hint: 'Nothing was written. Filter more narrowly, or allow more.',
      reason: { kind: 'tooManyRows', rows: found },
    },
  );
