import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  diagramOf,
  layOut,
  toDbml,
  toMermaid,
  toSvg,
  type Diagram,
  type ShownColumns,
} from '@tablewright/console/diagram';
import type { Catalog } from '@tablewright/runtime/model';
import { TablewrightError } from '../errors.js';
import { chosenCatalog, named, narrowed, type CatalogFlags } from './chosen-catalog.js';
import { outputError } from '../output/failure.js';
import { exitCodes } from './exit-codes.js';
import { printJson, withCommonFlags, withSourceFlags, type Session } from './session.js';

const formats = ['mermaid', 'dbml', 'svg'] as const;
type Format = (typeof formats)[number];

interface DiagramFlags extends CatalogFlags {
  readonly format?: Format;
  readonly output?: string;
  readonly columns?: ShownColumns;
}

/** `tablewright diagram` */
export function diagramCommand(session: Session): Command {
  const command = new Command('diagram').description('draw the tables and their foreign keys');
  withSourceFlags(command)
    .option('--offline', 'draw the committed catalog.json instead of the database')
    .option('--schema <name>', 'only this schema')
    .option('--table <name>', 'one table and its neighbours: those it refers to, and those that refer to it')
    .addOption(
      new Option('--format <name>', 'the format (default: by the extension of --output, otherwise mermaid)').choices(
        formats,
      ),
    )
    .addOption(
      new Option(
        '--columns <which>',
        'SVG: all columns, or only those of keys (default: all; keys if there are more than 150 tables)',
      ).choices(['all', 'keys']),
    )
    .option('--output <file>', 'write a file instead of standard output')
    .action((flags: DiagramFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright diagram --url postgres://me@localhost/shop --output shop.svg',
      'tablewright diagram --offline > schema.mmd',
      'tablewright diagram --format dbml --schema kanban',
      'tablewright diagram --table kanban.issues --output issues.svg',
    ],
    ['0  done', '1  error'],
  );
}

async function run(session: Session, flags: DiagramFlags): Promise<void> {
  const format = formatOf(flags);
  const diagram = diagramOf(shownOf(await chosenCatalog(session, flags), flags));
  const text = await textOf(diagram, format, flags.columns);
  session.exitCode = exitCodes.success;
  const { tables, references } = diagram;
  const counts = { format, tables: tables.length, references: references.length };
  if (flags.output !== undefined) await write(resolve(session.folder, flags.output), text);
  if (flags.json === true) printJson(session, flags.output === undefined ? { ...counts, text } : counts);
  else if (flags.output === undefined) session.terminal.print(text.trimEnd());
  else
    session.terminal.print(
      `${flags.output}: ${String(tables.length)} tables, ${String(references.length)} foreign keys`,
    );
}

const extensions: Readonly<Record<string, Format>> = {
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
  '.dbml': 'dbml',
  '.svg': 'svg',
};

function formatOf({ format, output }: DiagramFlags): Format {
  if (format !== undefined) return format;
  if (output === undefined) return 'mermaid';
  const found = extensions[extname(output).toLowerCase()];
  if (found !== undefined) return found;
  throw new TablewrightError(
    'USAGE',
    `The name ${output} does not say which form the diagram has.`,
    `End it in .svg, .mmd or .dbml, or add --format ${formats.join('|')}.`,
  );
}

/**
 * What the flags leave of a catalogue. Of one table: its neighbours, too, for without them there is
 * nothing to draw.
 */
function shownOf(catalog: Catalog, flags: DiagramFlags): Catalog {
  const narrow = narrowed(catalog, flags);
  const [table] = narrow.tables;
  if (flags.table === undefined || table === undefined) return narrow;
  const name = named(table);
  const near = new Set([name, ...table.foreignKeys.map(({ references }) => named(references))]);
  const tables = catalog.tables.filter(
    (each) => near.has(named(each)) || each.foreignKeys.some(({ references }) => named(references) === name),
  );
  return { ...catalog, tables };
}

async function textOf(diagram: Diagram, format: Format, columns: ShownColumns = 'all'): Promise<string> {
  if (format === 'dbml') return toDbml(diagram);
  if (format === 'mermaid') return toMermaid(diagram);
  // Loaded when it is wanted: no other command lays anything out.
  return toSvg(layOut(diagram, await import('@dagrejs/dagre'), columns));
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw outputError(error, `write ${path}`);
  });
}
