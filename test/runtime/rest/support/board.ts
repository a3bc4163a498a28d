import { readFileSync } from 'node:fs';
import { readDatabase, readSql, type ReadDatabase } from '../../../support/read-database.js';

/** The SQL of the board. */
export const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');

let board: Promise<ReadDatabase> | undefined;

/**
 * The board as the generator describes it. A suite reads the catalogue once for all databases of
 * this SQL.
 * @param url a database with the SQL; default: a new one, for suites without
 */
export const readBoard = (url?: string): Promise<ReadDatabase> =>
  (board ??= url === undefined ? readSql('rest', schema) : readDatabase(url));
