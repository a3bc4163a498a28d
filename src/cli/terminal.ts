import pico from 'picocolors';
import { clearLine, type Spinner } from './spinner.js';

export type Colors = ReturnType<typeof pico.createColors>;

/** The part of a stream that this folder uses. */
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The two outputs of a command: data on one, talk on the other, so that the data can be piped. */
export interface Terminal {
  /** A line of the command's result, on standard output. */
  readonly print: (line?: string) => void;
  /** A line of progress, warning or error, on standard error. */
  readonly note: (line: string) => void;
  /**
   * Shows the current stage until it ends or another line is printed; shows nothing without a
   * terminal.
   */
  readonly activity: (title: string) => Activity;
  readonly colors: { readonly out: Colors; readonly err: Colors };
  /** Whether a person watches standard error. */
  readonly watched: boolean;
}

export interface Activity {
  readonly count: (done: number, total: number) => void;
  readonly end: () => void;
}

/**
 * Whether a line of a stream may be drawn over and over: not in CI, which keeps all of them, nor on
 * a terminal that cannot.
 */
export const mayMove = (stream: Stream, environment: Readonly<Record<string, string | undefined>>): boolean =>
  stream.isTTY === true && !isSet(environment['CI']) && environment['TERM'] !== 'dumb';

/**
 * Colours are for terminals, unless NO_COLOR (https://no-color.org) forbids or FORCE_COLOR demands
 * them.
 */
export function createTerminal(
  out: Stream,
  err: Stream,
  environment: Readonly<Record<string, string | undefined>>,
  spinner?: Spinner,
): Terminal {
  const colored = (stream: Stream): boolean =>
    !isSet(environment['NO_COLOR']) && (isSet(environment['FORCE_COLOR']) || stream.isTTY === true);
  const watched = err.isTTY === true;
  const moving = mayMove(err, environment);
  let flashed = false;
  const clear = (): void => {
    if (flashed) err.write(clearLine);
    flashed = false;
  };
  const flash = (title: string): Activity => {
    if (moving) err.write(`  ${title} …`);
    flashed = moving;
    return { count: () => undefined, end: clear };
  };
  const spin = ({ start, count, stop }: Spinner, title: string): Activity => {
    start(title);
    return { count, end: stop };
  };
  const aside =
    spinner?.aside ??
    ((write: () => void) => {
      clear();
      write();
    });
  return {
    print: (line = '') => out.write(`${line}\n`),
    note: (line) => {
      aside(() => err.write(`${line}\n`));
    },
    activity: (title) => (spinner === undefined ? flash(title) : spin(spinner, title)),
    colors: { out: pico.createColors(colored(out)), err: pico.createColors(colored(err)) },
    watched,
  };
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
