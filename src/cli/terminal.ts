import pico from 'picocolors';

export type Colors = ReturnType<typeof pico.createColors>;

/** A stream as far as this room needs it. */
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The two outputs of a command: data on one, talk on the other, so that the data can be piped. */
export interface Terminal {
  /** A line of the command's result, on standard output. */
  readonly print: (line?: string) => void;
  /** A line of progress, warning or error, on standard error. */
  readonly tell: (line: string) => void;
  /** A line that the next one replaces; not written where there is no terminal. */
  readonly flash: (line: string) => void;
  readonly colors: { readonly out: Colors; readonly err: Colors };
  /** Whether a person watches standard error. */
  readonly watched: boolean;
}

/**
 * Colours are for terminals, unless NO_COLOR (https://no-color.org) forbids or FORCE_COLOR demands them.
 */
export function createTerminal(
  out: Stream,
  err: Stream,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const colored = (stream: Stream): boolean =>
    !isSet(environment['NO_COLOR']) && (isSet(environment['FORCE_COLOR']) || stream.isTTY === true);
  const watched = err.isTTY === true;
  let flashed = false;
  const tell = (line: string): void => {
    err.write(`${flashed ? '\r\u001b[2K' : ''}${line}\n`);
    flashed = false;
  };
  return {
    print: (line = '') => out.write(`${line}\n`),
    tell,
    flash: (line) => {
      if (!watched) return;
      err.write(`${flashed ? '\r\u001b[2K' : ''}${line}`);
      flashed = true;
    },
    colors: { out: pico.createColors(colored(out)), err: pico.createColors(colored(err)) },
    watched,
  };
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
