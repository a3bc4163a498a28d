import { ServerError } from '../errors.js';
import { anyDialect } from './dialects.js';
import { toServerError } from '../response/server-error.js';

/** A start failure of another process, which has described it. */
export class DescribedFailure extends Error {
  override readonly name = 'DescribedFailure';
}

/** Prints why the server does not start, without a stack, and ends the process with 1. */
export function reportStartFailure(error: unknown): never {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}

/** The text of a start failure: the mistake, the system's error, the hint. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof DescribedFailure) return error.message;
  const known = isAddressProblem(error) ? addressProblem(error) : toServerError(error, anyDialect);
  const cause = causeOf(known);
  return [
    `The server cannot start: ${known.message} (${known.code})`,
    ...(cause === undefined ? [] : [cause]),
    ...(known.hint === undefined ? [] : [known.hint]),
  ].join('\n  ');
}

function causeOf({ cause }: ServerError): string | undefined {
  if (cause instanceof AggregateError)
    return causeOf(new ServerError(0, '', '', { cause: cause.errors[0] as unknown }));
  return cause instanceof Error && cause.message !== '' ? cause.message : undefined;
}

interface AddressProblem extends NodeJS.ErrnoException {
  readonly port?: number;
}

const isAddressProblem = (error: unknown): error is AddressProblem =>
  error instanceof Error && 'syscall' in error && error.syscall === 'listen';

function addressProblem(error: AddressProblem): ServerError {
  const taken = error.code === 'EADDRINUSE';
  return new ServerError(
    500,
    error.code ?? 'EADDR',
    taken ? `Port ${String(error.port ?? '')} is in use already.` : 'The server cannot listen on this address.',
    {
      hint: taken ? 'Stop the process that listens there, or set PORT to another port.' : 'Check HOST and PORT.',
      cause: error,
    },
  );
}
