import { Option, type Command } from 'commander';
import { loadConfig, type Config, type ConfigFlags } from '../config/load.js';
import { splitList } from '../config/schema.js';
import type { Reporter } from '../reporter.js';
import { createProgress } from './progress.js';
import type { Terminal } from './terminal.js';

/** One run of the command line: where it happens, whom it talks to, and how it ends. */
export interface Session {
  readonly folder: string;
  /**
   * As the process was given it: `.env` files add to it, and may change while this process runs.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborted at the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether a user can answer questions. */
  readonly interactive: boolean;
  /** Set by the command that ran. */
  exitCode: number;
}

/** Flags of every command. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Flags of every command that generates, or compares with what would be generated. */
export interface SourceFlags extends CommonFlags, ConfigFlags {}

/** Adds `--json` and `--verbose`, and the examples at the end of the help. */
export function withCommonFlags(command: Command, examples: readonly string[], exits: readonly string[]): Command {
  return command
    .option('--json', 'print one JSON document')
    .option('--verbose', 'show every stage, and the stack of an error')
    .addHelpText('after', `\nExamples:\n${indented(examples)}\n\nExit codes:\n${indented(exits)}\n`);
}

/** Adds `--url`, `--schemas`, `--out` and `--config`. */
export function withSourceFlags(command: Command): Command {
  return command
    .option(
      '--url <address>',
      'the database: postgres://user@host/name, mysql://user@host/name or pglite:FOLDER (default: DATABASE_URL)',
    )
    .addOption(
      new Option(
        '--schemas <names>',
        'database schemas, comma-separated (default: all except system schemas)',
      ).argParser(splitList),
    )
    .option('--out <folder>', 'the folder of the project (default: where the configuration file is)')
    .option('--config <file>', 'the configuration file (default: tablewright.config.ts, .js, .json or .yaml)');
}

/** Reads the configuration as the flags, the environment and the current folder say. */
export async function configure(session: Session, flags: SourceFlags): Promise<Config> {
  const config = await loadConfig({ folder: session.folder, environment: session.environment, flags });
  // node-postgres reads PGPASSWORD and its like from there.
  for (const [name, value] of Object.entries(config.environment)) {
    if (session.environment[name] === undefined) process.env[name] = value;
  }
  return config;
}

/** The reporter of a command. */
export const progressOf = (session: Session, flags: CommonFlags): Reporter =>
  createProgress(session.terminal, flags.verbose === true);

/** What `--json` prints. */
export function printJson(session: Session, value: unknown): void {
  session.terminal.print(JSON.stringify(value, undefined, 2));
}

export const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');
