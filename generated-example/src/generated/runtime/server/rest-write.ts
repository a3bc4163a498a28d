import type { OutgoingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { boundsOf } from '../bounds.js';
import { ServerError, codes } from '../errors.js';
import type { OnConflict } from '../plan/write-intent.js';
import type { Registry, Table } from '../registry.js';
import { parseDelete, parseInsert, parseUpdate, type RestWrite, type WriteRequest } from '../request/rest/write.js';
import { parseReplace } from '../request/rest/write-replace.js';
import type { Answer } from '../response/answer.js';
import { databaseErrorFields } from '../response/database-error.js';
import { contentTypes } from '../response/rest-rows.js';
import { appliedToWrite, locationOf } from '../response/rest-written.js';
import type { Identity } from '../session/driver.js';
import type { Written } from '../session/write-program.js';
import type { WriteOptions } from '../session/write-run.js';
import type { PreparedWrite, WriteRunner } from './write-runner.js';
import type { Services } from './services.js';
import { uniqueKeys } from '../unique-keys.js';

/** What is kept between writes. */
export interface WriteCaches {
  readonly runner: WriteRunner;
  /** By the shape of the request. */
  readonly prepared: LRUCache<string, PreparedWrite>;
}

/** Both bounds hold: a shape may be as long as a URL and the names of all columns. */
export const createWriteCache = (registry: Registry): LRUCache<string, PreparedWrite> =>
  new LRUCache({ ...boundsOf(registry, 1000, 8000), sizeCalculation: (_, shape) => 4000 + shape.length });

/** What a write over REST is done with. */
export interface WriteExchangeParts extends WriteCaches {
  readonly services: Services;
  readonly identity: Identity;
  readonly options: WriteOptions;
  readonly mark: (stage: string) => void;
}

/** POST, PATCH, PUT and DELETE of a table: parse, plan once per shape, run, answer. Source: contract 4.4; decisions 6. */
export class RestWriter {
  constructor(private readonly parts: WriteExchangeParts) {}

  async insert(request: WriteRequest): Promise<Answer> {
    const write = this.parsed(() => parseInsert(request));
    if (write.rows?.count === 0) return this.answer(request.table, write, nothingWritten, 201);
    const written = await this.runMerging(write, request.table);
    return this.answer(request.table, write, written, written.created > 0 ? 201 : 200);
  }

  async update(request: WriteRequest): Promise<Answer> {
    const write = this.parsed(() => parseUpdate(request));
    // Nothing is set, so nothing is written: as in PostgREST that is no error.
    const written = write.nothing === true ? nothingWritten : await this.run(write);
    return this.answer(request.table, write, written, 200);
  }

  async remove(request: WriteRequest): Promise<Answer> {
    const write = this.parsed(() => parseDelete(request));
    return this.answer(request.table, write, await this.run(write), 200);
  }

  /** The row is updated, which needs no right to insert; only when there is none it is inserted. */
  async replace(request: WriteRequest): Promise<Answer> {
    const { update, insert } = this.parsed(() => parseReplace(request));
    if (update !== undefined) {
      const written = await this.run(update);
      if (written.affected > 0) return this.answer(request.table, update, written, 200);
    }
    if (!canBeInserted(request.table)) throw noSuchRow();
    const written = await this.run(insert);
    return this.answer(request.table, insert, written, written.created > 0 ? 201 : 200);
  }

  private parsed<T>(parse: () => T): T {
    const parsed = parse();
    this.parts.mark('parse');
    return parsed;
  }

  /**
   * Contract 4.4: a primary key or unique conflict merges. A statement merges by one key; when another one is in the way, nothing was
   * written and that key is taken instead, unless the client chose.
   */
  private async runMerging(write: RestWrite, table: Table): Promise<Written> {
    try {
      return await this.run(write);
    } catch (error) {
      const other = write.conflict?.action === 'update' && write.chosen !== true ? otherKey(error, table) : undefined;
      if (other === undefined) throw error;
      return this.run({ ...write, shape: `${write.shape}\0by ${other}` }, byKey(other, table));
    }
  }

  private async run(write: RestWrite, conflict?: OnConflict): Promise<Written> {
    const { runner, identity, options, mark } = this.parts;
    const prepared = this.prepare(write, conflict);
    mark('plan');
    const mode = write.preferences.tx === 'rollback' ? { dryRun: true, ...options } : options;
    const { inputs, format, preferences } = write;
    const single = format === 'object' && preferences.return !== 'minimal';
    const request = single ? { prepared, inputs, check: exactlyOne } : { prepared, inputs };
    const outcome = await runner.run([request], identity, mode);
    mark('database');
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome.written[0] ?? nothingWritten;
  }

  private prepare(write: RestWrite, conflict: OnConflict | undefined): PreparedWrite {
    const { services, runner, prepared } = this.parts;
    const known = prepared.get(write.shape);
    if (known !== undefined) return known;
    const made = runner.prepare(write.intent(services.registry, conflict));
    prepared.set(write.shape, made);
    return made;
  }

  private answer(table: Table, write: RestWrite, written: Written, status: number): Answer {
    const { preferences, format, rows } = write;
    const headers: OutgoingHttpHeaders = appliedToWrite(preferences);
    if (preferences.count !== 'none') headers['content-range'] = `*/${written.affected}`;
    if (preferences.return === 'minimal') return { status: 204, headers };
    if (preferences.return === 'headers-only') {
      if (rows === undefined) return { status: 204, headers };
      return { status, headers: { ...headers, ...locationOf(table, written.keys) }, body: '' };
    }
    const single = rows?.single === true || format === 'object';
    const body = written.text ?? (format === 'csv' ? '' : single ? 'null' : '[]');
    return { status, headers: { 'content-type': contentTypes[format], ...headers }, body };
  }
}

const nothingWritten: Written = { text: null, affected: 0, created: 0, keys: undefined };

/** Who asks for a single object gets one, or nothing is written. */
function exactlyOne({ affected }: Written): void {
  if (affected === 1) return;
  throw new ServerError(406, codes.notAcceptable, 'A single object was asked for, and the answer is not one row.', {
    details: `The answer would have ${affected} rows. Nothing was written.`,
    hint: 'Filter by a key, or accept application/json.',
  });
}

/** The row that is there keeps its primary key: others refer to it. */
const byKey = (name: string, { primaryKey }: Table): OnConflict => ({
  target: { kind: 'constraint', name },
  action: 'update',
  keep: primaryKey?.columns ?? [],
});

/** The key of the table that a row was in conflict by. */
function otherKey(error: unknown, table: Table): string | undefined {
  const fields = databaseErrorFields(error instanceof ServerError ? error.cause : error);
  if (fields?.code !== '23505') return undefined;
  return uniqueKeys(table).find(({ name }) => name === fields.constraint)?.name;
}

/** Whether a row with a key of the client's choice can be inserted. */
const canBeInserted = ({ insertable, primaryKey, byName }: Table): boolean =>
  insertable === true && primaryKey?.columns.every((name) => byName.get(name)?.readOnly !== true) === true;

const noSuchRow = (): ServerError =>
  new ServerError(404, codes.notFound, 'There is no row with this key, and none can be inserted with it.');
