import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './child.js';

export interface Report {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The same figures, for programs to read. */
  readonly figures: unknown;
  /** The text for bench/results.md, when it contains more than the table. */
  readonly page?: string;
}

export interface ReportOptions {
  readonly json: boolean;
  readonly write: boolean;
}

/** The options that every benchmark takes. */
export function reportOptions(args: readonly string[]): ReportOptions {
  const options = { json: { type: 'boolean' }, write: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  return { json: values.json === true, write: values.write === true };
}

/** Prints the table and the figures, and with `write` puts the table into bench/results.md. */
export function publish(report: Report, { json, write }: ReportOptions): void {
  const table = markdown(report.head, report.rows);
  const figures = JSON.stringify(describeFigures(report));
  process.stdout.write(json ? `${figures}\n` : `\n${table}\n\n${figures}\n`);
  if (write) writeInto('bench/results.md', report.name, `${report.page ?? table}\n\n${machine()}`);
}

/** The figures, with a description of the machine. */
export const describeFigures = ({ name, figures }: Pick<Report, 'name' | 'figures'>): object => ({
  benchmark: name,
  machine: machine(),
  figures,
});

/** Replaces the text between the markers of this name in a page of the repository. */
export function writeInto(path: string, name: string, content: string): void {
  const file = join(repository, path);
  writeFileSync(file, replaceBetween(readFileSync(file, 'utf8'), name, content, path));
}

/**
 * Columns are padded, so that the table is readable on a terminal, too. The first column is text,
 * the others are numbers.
 */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

function replaceBetween(text: string, name: string, content: string, path: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place between ${begin} and ${end}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** The load of the machine when the run began: a busy machine gives less reliable figures. */
const busy = loadavg()[0] ?? 0;

let measured: string | undefined;

/** Measured once. Absolute figures differ twofold between machines, mostly by these two. */
const machine = (): string =>
  (measured ??=
    `Node ${process.versions.node}, ${cpus().length} cores, ${process.platform} ${process.arch}; load before the run ${busy.toFixed(1)}. ` +
    `A system call takes ${syscall().toFixed(1)} µs here, a copy of a megabyte ${copy().toFixed(0)} µs.`);

/** Microseconds of processor time of one call. */
function cost(times: number, work: () => void): number {
  for (let warm = 0; warm < times / 4; warm += 1) work();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

function syscall(): number {
  const [zero, byte] = [openSync('/dev/zero', 'r'), Buffer.alloc(1)];
  try {
    return cost(20_000, () => readSync(zero, byte));
  } finally {
    closeSync(zero);
  }
}

function copy(): number {
  const [from, to] = [Buffer.alloc(1 << 20, 1), Buffer.alloc(1 << 20, 2)];
  return cost(400, () => from.copy(to));
}

/** Reports progress on standard error, because standard output has figures only. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
