import { parseArgs } from 'node:util';
import { createTestDatabase, loadSql } from '../../test/support/postgres.js';
import { emptyFolder } from '../harness/project.js';
import { markdown, progress, publish, reportOptions } from '../harness/report.js';
import { measureCatalogue, measureCompilation, measureGeneration } from './build.js';
import { compareCosts, describeFigure, sizesTable, type Figure, type Size } from './figures.js';
import { columnsPerTable, scaleSchema } from './schema.js';
import { costs, measureRates, startGenerated, type Serving } from './serve.js';

const SIZES = [10, 100, 1000, 3000];

/**
 * Measures everything that could grow with the number of tables: at several sizes, or at one size
 * against its limits.
 */
export async function runScale(args: readonly string[]): Promise<void> {
  const { tables, rounds } = readOptions(args);
  const sizes = await measureSizes(tables, rounds);
  const [only, ...others] = sizes;
  if (only !== undefined && others.length === 0) publishOne(only, args);
  else publishAll(sizes, args);
}

function readOptions(args: readonly string[]): { readonly tables: readonly number[]; readonly rounds: number } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { tables: text, rounds: text }, strict: false });
  const numbers = (name: string, value: unknown): readonly number[] | undefined => {
    if (typeof value !== 'string') return undefined;
    const given = value.split(',').map(Number);
    if (given.some((each) => !Number.isInteger(each) || each < 1))
      throw new Error(`--${name} takes whole numbers from 1 on, not ${value}.`);
    return given;
  };
  return {
    tables: [...(numbers('tables', values.tables) ?? SIZES)].sort((a, b) => a - b),
    rounds: numbers('rounds', values.rounds)?.[0] ?? 5,
  };
}

/** The servers of all sizes run at the end, so that their rates are measured together. */
async function measureSizes(all: readonly number[], rounds: number): Promise<readonly Size[]> {
  const close: (() => Promise<void>)[] = [];
  try {
    const serving: Serving[] = [];
    const sizes: Size[] = [];
    for (const tables of all) {
      progress(`Creating ${tables} tables of ${columnsPerTable} columns`);
      const database = await createTestDatabase('bench_scale');
      close.push(() => database.drop());
      for (const sql of scaleSchema(tables)) await loadSql(database.url, sql);
      const folder = emptyFolder(`scale-${tables}`);
      const built = [
        ...(await measureCatalogue(database.url)),
        ...(await measureGeneration(database.url, folder)),
        ...(await measureCompilation(folder)),
      ];
      const { server, heap, figures } = await startGenerated(database.url, folder);
      close.push(async () => {
        await server.stop();
        heap.remove();
      });
      serving.push({ server, heap, tables });
      sizes.push({ tables, figures: [...built, ...figures] });
    }
    const rates = await measureRates(serving, rounds);
    return sizes.map(({ tables, figures }, at) => ({ tables, figures: [...figures, ...(rates[at] ?? [])] }));
  } finally {
    // Servers close before their databases.
    for (const each of close.reverse()) await each();
  }
}

function publishOne({ tables, figures }: Size, args: readonly string[]): void {
  const rows = figures.map((figure) => [figure.what, describeFigure(figure), limitOf(figure)]);
  const head = [`${tables} tables of ${columnsPerTable} columns`, 'measured', 'at most'];
  publish({ name: 'scale', head, rows, figures }, reportOptions(args));
}

function publishAll(sizes: readonly Size[], args: readonly string[]): void {
  const { head, rows } = sizesTable(sizes);
  const sentences = costs.map((what) => compareCosts(what, sizes));
  for (const sentence of sentences) progress(sentence);
  const limited = sizes.find(({ tables }) => tables === 1000)?.figures ?? [];
  const limits = (at: number): string => (limited[at] === undefined ? '' : limitOf(limited[at]));
  const titles = limited.length === 0 ? head : [...head, 'at most, of 1,000'];
  const lines = limited.length === 0 ? rows : rows.map((row, at) => [...row, limits(at)]);
  const page = [markdown(titles, lines), ...sentences].join('\n\n');
  publish({ name: 'scale', head: titles, rows: lines, figures: sizes, page }, reportOptions(args));
}

const limitOf = ({ atMost, unit }: Figure): string =>
  atMost === undefined ? '' : describeFigure({ value: atMost, unit });
