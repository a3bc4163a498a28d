import type { WriteProgram, Written } from '../dialect/write-program.js';
import { isNestedWrite } from '../plan/write/write-intent.js';
import type { NestedRun } from './nested/run.js';
import type { NestedHooks } from './nested/writer.js';
import type { WriteJob } from './run-writes.js';
import type { DoneWrite, WriteRequest } from './write-session.js';

/** What runs for a request. */
export interface RunnerJob extends WriteJob {
  readonly nested?: NestedRun;
}

const noHooks: NestedHooks = {
  insert: (_table, rows) => Promise.resolve(rows),
  update: (_table, set) => Promise.resolve(set),
  remove: () => Promise.resolve(),
};

/** A job to which rows inside rows are yet to be added: nothing of their writing is begun. */
export function plainJob({ inputs, check }: WriteRequest, program: WriteProgram): WriteJob {
  return check === undefined ? { program, inputs } : { program, inputs, check };
}

/** @param hooks called for rows inside rows, while they are written */
export function jobOf(request: WriteRequest, program: WriteProgram, hooks = noHooks): RunnerJob {
  const { intent, nested } = request.prepared;
  if (nested === undefined || !isNestedWrite(intent) || program.kind !== 'rows') return plainJob(request, program);
  const run = nested.start(intent, program, hooks);
  return { ...plainJob(request, run.program), nested: run };
}

/** Writes that were done, each with the request for it. */
export const doneOf = (
  requests: readonly WriteRequest[],
  written: readonly Written[],
  jobs: readonly RunnerJob[],
): readonly DoneWrite[] =>
  requests.flatMap((request, at) => {
    const done = written[at];
    return done === undefined ? [] : [doneWrite(request, done, jobs[at])];
  });

export const doneWrite = (request: WriteRequest, written: Written, job: RunnerJob | undefined): DoneWrite =>
  job?.nested === undefined ? { request, written } : { request, written, nested: job.nested };
