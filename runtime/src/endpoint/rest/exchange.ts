import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { copyWith } from '../../copy-with.js';
import { CountedCache } from '../../observe/metrics/cache-counts.js';
import { boundsOf } from '../../descriptor/cache-bounds.js';
import type { TableDescriptor } from '../../descriptor/descriptor.js';
import { ServerError, codes } from '../../errors.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import type { FunctionPath } from '../../request/rest/function/choose-function.js';
import { parseRead, type Read } from '../../request/rest/read/parse-read.js';
import type { WriteRequest } from '../../request/rest/write/parse-write.js';
import type { Answer } from '../../response/answer.js';
import type { Deliver } from '../../response/deliver.js';
import { explainFailure } from '../../response/explain-failure.js';
import { contentTypes, onlyObject } from '../../response/rest-rows.js';
import type { DataVersion, Driver, Identity, RequestSession, RunOptions } from '../../dialect/driver.js';
import { keptFor } from '../../execute/kept-for.js';
import type { RowFilter } from '../../plan/context.js';
import { readAnswer, runStatement } from '../../execute/run-statement.js';
import type { AnswerRow, RawRow, Statement } from '../../plan/statement.js';
import type { RestExchange } from '../../descriptor/generated.js';
import { readBody } from '../../http/body.js';
import type { RequestContext } from '../../http/request-context.js';
import { readQuery, severalRows } from './precondition.js';
import type { RestForm } from './rest-form.js';
import { RestWriter, type WriteCaches } from './write-exchange.js';
import type { Services } from '../../execute/services.js';
import { recordRestUse } from './use.js';
import type { Timing } from '../../http/timing.js';

/**
 * Statements by the shape of their requests. Their number is bounded, and the length of their
 * texts: a shape may be as long as a URL.
 */
export const createStatementCache = (registry: Registry): CountedCache<Statement> =>
  new CountedCache({
    ...boundsOf(registry, 2000, 4000),
    sizeCalculation: (statement, shape) => statement.text.length + shape.length,
  });

/** One request to a table, and the services that answer it. */
export interface ExchangeParts {
  readonly services: Services;
  readonly statements: CountedCache<Statement>;
  readonly writes: WriteCaches;
  readonly request: IncomingMessage;
  /**
   * The headers of the request. PostgREST's form replaces `accept` for a request that asks for a
   * plan.
   */
  readonly given: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly context: RequestContext;
  readonly identity: Identity;
  /** The raw query string. */
  readonly query: string;
  /** The key in the path, decoded. */
  readonly id: string | undefined;
  /** Headers that every answer to this request has. */
  readonly headers: OutgoingHttpHeaders;
  readonly timing: Timing | undefined;
  readonly deliver: Deliver;
  readonly form: RestForm;
  /** Of a call in PostgREST's form: the schema and the name in the path. */
  readonly called?: Omit<FunctionPath, 'overloads'> | undefined;
  /** What the request adds to its transactions, in PostgREST's form. */
  readonly session?: RequestSession | undefined;
  /** Absent where the database has no replicas. */
  readonly version?: DataVersion | undefined;
}

/** The options of everything that the request runs at the database. */
export const runOptions = ({ context: { signal }, session, version }: ExchangeParts): RunOptions =>
  session === undefined && version === undefined
    ? { signal }
    : { signal, ...(session && { session }), ...(version && { version }) };

/** The same read without rows of tables that inherit from its table. */
const onlyOwn = (read: Read): Read => ({
  ...read,
  shape: `${read.shape}\0only`,
  intent: (registry) => {
    const intent = read.intent(registry);
    return intent.kind === 'rows' || intent.kind === 'row'
      ? { ...intent, read: { ...intent.read, isOnly: true } }
      : intent;
  },
});

/**
 * Answers a request to a table for its route: parses it, plans its shape once, runs the statement,
 * and puts the text from the database into the envelope.
 */
export class TableExchange implements RestExchange {
  constructor(private readonly parts: ExchangeParts) {}

  async list(descriptor: TableDescriptor): Promise<void> {
    const { read, rows } = await this.read(descriptor);
    const { format, handler, limit, offset, range } = read;
    const ranged = range !== undefined;
    const { form } = this.parts;
    const applied = form.appliedToRead(read.preferences);
    await this.answer(
      form.list(rows, {
        format,
        handler,
        limit,
        offset,
        ranged,
        count: countOf(read),
        applied,
        stripsNulls: read.stripsNulls,
      }),
    );
  }

  async row(descriptor: TableDescriptor): Promise<void> {
    const { id } = this.parts;
    const { read, rows } = await this.read(descriptor, id);
    const [text, length] = rows[0] ?? [];
    if (text === null || text === undefined || (read.format === 'csv' && length === '0')) throw noRow();
    const headers = { 'content-type': contentTypes[read.format], ...preferenceApplied(read) };
    await this.answer({ status: 200, headers, body: text, tagged: true });
  }

  async insert(descriptor: TableDescriptor): Promise<void> {
    const request = await this.writeRequest(descriptor);
    await this.answer(await this.writer().insert(request));
  }

  async update(descriptor: TableDescriptor): Promise<void> {
    const request = await this.writeRequest(descriptor);
    await this.answer(await this.writer().update(request));
  }

  async replace(descriptor: TableDescriptor): Promise<void> {
    const request = await this.writeRequest(descriptor);
    await this.answer(await this.writer().replace(request));
  }

  async remove(descriptor: TableDescriptor): Promise<void> {
    const request = await this.writeRequest(descriptor);
    await this.answer(await this.writer().remove(request));
  }

  private async writeRequest(descriptor: TableDescriptor): Promise<WriteRequest> {
    const { services, request, given, query, form } = this.parts;
    const { settings } = services;
    const table = this.table(descriptor);
    const body = await readBody(request, settings['app.limits.body-bytes']);
    const allowUnfiltered = settings['app.rest.allow-unfiltered-writes'];
    const { mediaHandlers } = services.registry;
    return { table, query, headers: given, body, allowUnfiltered, form, mediaHandlers };
  }

  private writer(): RestWriter {
    const { services, writes, identity, timing, form } = this.parts;
    const options = runOptions(this.parts);
    const { runner, prepared } = writes;
    return new RestWriter({
      services,
      runner,
      prepared,
      identity,
      options,
      form,
      mark: (stage) => timing?.mark(stage),
      current: (...parts) => this.current(...parts),
    });
  }

  /**
   * The answers that reads of a row have in a transaction: with the columns that the write answers
   * and with all, counted or not. Each is read when it is asked for: mostly the first is the one.
   * @param isOnly none of tables that inherit from the table
   * @throws ServerError 400 where several rows have the key
   */
  private async *current(
    { table, query, headers: { accept } }: WriteRequest,
    transaction: Pick<Driver, 'run'>,
    isOnly: boolean,
  ): AsyncGenerator<Answer> {
    const { services, identity, form } = this.parts;
    const rowFilter = services.rowFilter?.(identity);
    const queries = new Set([false, true].map((isWhole) => readQuery(query, form.grammar, isWhole)));
    for (const prefer of [undefined, 'count=exact'])
      for (const each of queries) {
        const { mediaHandlers } = services.registry;
        const asked = { table, query: each, headers: { accept, prefer }, form, mediaHandlers };
        const read = parseRead(asked, services.settings['app.max-rows']);
        const statement = this.statement(isOnly ? onlyOwn(read) : read, table, rowFilter);
        const [row] = await runStatement(transaction, statement, read.inputs, identity, {}, rowFilter);
        if (Number(row?.[1] ?? 0) > 1) throw severalRows();
        if (row?.[1] !== '1') return;
        yield* answersOf(row, read, form);
      }
  }

  private async read(descriptor: TableDescriptor, id?: string): Promise<{ read: Read; rows: readonly AnswerRow[] }> {
    const { services, given, query, identity, timing, form } = this.parts;
    const headers = withoutRange(given, this.parts.request.method, form);
    const { mediaHandlers } = services.registry;
    const asked = { table: this.table(descriptor), query, headers, id, form, mediaHandlers };
    const read = parseRead(asked, services.settings['app.max-rows']);
    timing?.mark('parse');
    const rowFilter = services.rowFilter?.(identity);
    const statement = this.statement(read, asked.table, rowFilter);
    timing?.mark('plan');
    const options = runOptions(this.parts);
    const rows = await readAnswer(services.driver, statement, read.inputs, identity, options, rowFilter).catch(
      (error: unknown): never => {
        throw explainFailure(error, { does: 'read', slots: statement.slots }, services);
      },
    );
    timing?.mark('database');
    return { read, rows };
  }

  private statement(read: Read, table: Table, rowFilter: RowFilter | undefined): Statement {
    const { services, statements } = this.parts;
    return keptFor(statements, read.shape, rowFilter, () => {
      const intent = read.intent(services.registry);
      const statement = services.prepare(intent, rowFilter);
      recordRestUse(services, 'GET', table, intent);
      return statement;
    });
  }

  private table(descriptor: TableDescriptor): Table {
    const table = this.parts.services.registry.table.get(descriptor.field);
    if (table !== undefined) return table;
    throw new ServerError(404, codes.unknownTable, `There is no table "${descriptor.name}" here.`);
  }

  private answer(answer: Answer): Promise<void> | undefined {
    const { request, response, headers, timing, deliver } = this.parts;
    const common = timing === undefined ? headers : copyWith(headers, { 'server-timing': timing.header() });
    return deliver(request, response, answer, common);
  }
}

/** The list with the row, and the row itself. */
function answersOf(row: RawRow, read: Read, form: RestForm): readonly Answer[] {
  const { format, handler, limit, offset, stripsNulls } = read;
  const isJson = format === 'json' || format === 'object';
  const { count } = read.preferences;
  const options = { handler, limit, offset, ranged: false, count, applied: [], stripsNulls };
  const formats = isJson ? (['json', 'object'] as const) : [format];
  const text = row[0] ?? '';
  const headers = { 'content-type': contentTypes[format] };
  return [
    ...formats.map((each) => form.list([row], { ...options, format: each })),
    { status: 200, headers, body: isJson ? onlyObject(text, 1) : text },
  ];
}

/** The headers that a read of this method looks at. */
export const withoutRange = (
  headers: IncomingHttpHeaders,
  method: string | undefined,
  { ranges }: RestForm,
): IncomingHttpHeaders =>
  ranges.of === 'GET' && method !== 'GET' && headers.range !== undefined ? { ...headers, range: undefined } : headers;

/** The count for `Content-Range`: a request with a range always gets the total. */
export const countOf = (read: Read) =>
  read.range !== undefined && read.preferences.count === 'none' ? 'exact' : read.preferences.count;

function preferenceApplied({ preferences }: Read): OutgoingHttpHeaders {
  return preferences.handling === undefined ? {} : { 'preference-applied': `handling=${preferences.handling}` };
}

const noRow = (): ServerError =>
  new ServerError(404, codes.notFound, 'There is no row with this key.', {
    hint: 'It may also be hidden from you by a row level security policy.',
  });
