import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import type { RawRow, Statement } from '../../dialect/statement.js';
import { ServerError, codes } from '../../errors.js';
import type { Written } from '../../dialect/write-program.js';
import { shapeFor } from '../../execute/readable-shape.js';
import { runStatement } from '../../execute/run-statement.js';
import type { PreparedWrite } from '../../execute/write-runner.js';
import { readBody } from '../../http/body.js';
import { nearest } from '../../nearest.js';
import type { Intent, ReadIntent, RestDialect } from '../../plan/intent.js';
import type { WriteIntent } from '../../plan/write/write-intent.js';
import { resultRows } from '../../descriptor/results.js';
import { chosenValues } from '../../request/rest/values.js';
import { callOfBody, callOfQuery, unnamedArgument, type GivenCall } from '../../request/rest/function.js';
import { parseParameters } from '../../request/rest/parameters.js';
import { parseRead, type Read } from '../../request/rest/read.js';
import { readJson, readObject, readPlainText } from '../../request/rest/write-body.js';
import type { Answer } from '../../response/answer.js';
import { explainFailure } from '../../response/explain-failure.js';
import { contentTypes, notOneRow, onlyObject } from '../../response/rest-rows.js';
import { applied, countOf, type ExchangeParts } from './exchange.js';
import { methodNotAllowed } from './routes.js';
import { recordRestUse } from './use.js';

/** The path segment below /api/v1 under which clients call functions. */
export const functionsPath = 'rpc';

/**
 * Functions by schema and name; a name has all its overloads. An overload is also found by its
 * GraphQL field, which is unique.
 */
export type FunctionMap = ReadonlyMap<string, ReadonlyMap<string, readonly FunctionDescriptor[]>>;

export function indexFunctions({ functions }: Registry): FunctionMap {
  const schemas = new Map<string, Map<string, FunctionDescriptor[]>>();
  for (const each of functions.values()) {
    const named = schemas.get(each.schema) ?? new Map<string, FunctionDescriptor[]>();
    schemas.set(each.schema, named);
    named.set(each.name, [...(named.get(each.name) ?? []), each]);
  }
  for (const each of functions.values()) {
    const named = schemas.get(each.schema);
    if (named !== undefined && !named.has(each.field)) named.set(each.field, [each]);
  }
  return schemas;
}

/** The functions of a name. Throws ServerError 404 with the name that the client probably meant. */
export function functionsOf(functions: FunctionMap, schema: string, name: string): readonly FunctionDescriptor[] {
  const found = functions.get(schema)?.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, functions.get(schema)?.keys() ?? []);
  throw new ServerError(404, codes.notFound, `There is no function "${name.slice(0, 80)}" here.`, {
    hint: near === undefined ? 'GET /api/v1 describes the functions that there are.' : `Did you mean \`${near}\`?`,
    reason: { kind: 'unknownFunction' },
  });
}

/** The methods that functions answer: GET and HEAD only if at least one overload cannot write. */
export function functionMethods(overloads: readonly FunctionDescriptor[]): readonly string[] {
  const reads = overloads.some(({ operation }) => operation === 'query') ? ['GET', 'HEAD'] : [];
  return [...reads, 'POST', 'OPTIONS'];
}

/**
 * Answers a request to a function: GET with arguments in the query string, POST with arguments in
 * the body.
 */
export class FunctionExchange {
  constructor(
    private readonly parts: ExchangeParts,
    private readonly overloads: readonly FunctionDescriptor[],
  ) {}

  private get dialect(): RestDialect {
    return this.parts.form.dialect;
  }

  async respond(): Promise<void> {
    const call = await this.call();
    const { registry } = this.parts.services;
    const table = call.called.table === undefined ? undefined : registry.table.get(call.called.table);
    const answer = call.called.operation === 'mutation' ? await this.write(call, table) : await this.query(call, table);
    const { request, response, headers, timing, deliver } = this.parts;
    const common = timing === undefined ? headers : { ...headers, 'server-timing': timing.header() };
    // An entity tag identifies the answer to a GET: RFC 9110, 13.1.2.
    const form = request.method === 'POST' ? { tagged: false, refusable: call.called.operation === 'query' } : {};
    await deliver(request, response, { ...answer, ...form }, common);
  }

  private async call(): Promise<GivenCall> {
    const { request, query, services } = this.parts;
    const { method = 'GET' } = request;
    const methods = functionMethods(this.overloads);
    if (!methods.includes(method)) throw methodNotAllowed(method, methods.join(', '));
    if (method !== 'POST') {
      return callOfQuery(
        this.overloads.filter(({ operation }) => operation === 'query'),
        query,
        services.registry.restNames,
      );
    }
    const body = await readBody(request, services.settings['app.limits.body-bytes']);
    const given = this.wholeBody(body) ?? readObject(request.headers['content-type'], body);
    return callOfBody(this.overloads, given, query, services.registry.restNames);
  }

  /**
   * The body as the function's only argument, if that argument has no name. Source: PostgREST,
   * "Functions with a single unnamed parameter".
   */
  private wholeBody(body: Buffer): Readonly<Record<string, unknown>> | undefined {
    const argument = this.dialect === 'postgrest' ? unnamedArgument(this.overloads) : undefined;
    if (argument === undefined) return undefined;
    const type = this.parts.request.headers['content-type'];
    const value = argument.type.kind === 'text' ? readPlainText(type, body) : readJson(type, body);
    return value === undefined ? undefined : { [argument.field ?? argument.name]: value };
  }

  private query(call: GivenCall, table: Table | undefined): Promise<Answer> {
    if (table === undefined) return this.value(call);
    return call.called.returnsSet === true ? this.list(call, table) : this.row(call, table);
  }

  private async list(call: GivenCall, table: Table): Promise<Answer> {
    const read = this.parsed(call, table);
    const { format, limit, offset, range } = read;
    const rows = await this.run(
      `${call.shape}\0${read.shape}`,
      [...read.inputs, ...call.values],
      () => {
        const intent = read.intent(this.parts.services.registry);
        return intent.kind === 'rows' ? { ...intent, read: from(intent.read, call, read) } : intent;
      },
      table,
    );
    const options = { format, limit, offset, ranged: range !== undefined };
    return this.parts.form.list(rows, { ...options, count: countOf(read), applied: applied(read) });
  }

  /**
   * The bare row, or null. CSV and GeoJSON exist only for lists, so one row is answered as a list.
   */
  private async row(call: GivenCall, table: Table): Promise<Answer> {
    const read = this.parsed(call, table);
    if (this.dialect === 'postgrest' && (read.format === 'csv' || read.format === 'geojson'))
      return this.list(call, table);
    const [row] = await this.run(
      `${call.shape}\0one\0${read.shape}`,
      [...read.inputs, ...call.values],
      () => ({
        kind: 'row',
        read: from(this.readOf(read), call, read),
      }),
      table,
    );
    return bare(row?.[0]);
  }

  /** A value, or the list of values. */
  private async value(call: GivenCall): Promise<Answer> {
    const table = resultRows(call.called, this.parts.services.registry);
    if (table === undefined || call.query === '') return this.whole(call);
    const read = parseRead(
      { table, query: call.query, headers: {}, dialect: this.dialect },
      this.parts.services.settings['app.max-rows'],
    );
    const [row] = await this.run(`${call.shape}\0values\0${read.shape}`, [...read.inputs, ...call.values], () => {
      const value = chosenValues(call.at(read.inputs.length), this.readOf(read));
      return { kind: 'document', fields: [{ kind: 'value', as: 'value', value }] };
    });
    return bare(row?.[0]);
  }

  private async whole(call: GivenCall): Promise<Answer> {
    checkNothingElse(call.query);
    const [row] = await this.run(`${this.dialect} ${call.shape}`, call.values, () => ({
      kind: 'document',
      fields: [{ kind: 'value', as: 'value', value: { call: call.at(0), dialect: this.dialect } }],
    }));
    if (this.dialect === 'postgrest' && isVoid(call.called)) return { status: 204, headers: {} };
    return bare(row?.[0]);
  }

  private async write(call: GivenCall, table: Table | undefined): Promise<Answer> {
    const { writes, identity, context, timing } = this.parts;
    if (table === undefined) checkNothingElse(call.query);
    const read = table === undefined ? undefined : this.parsed(call, table);
    const shape = `${call.shape}\0${read?.shape ?? ''}`;
    const prepared = this.prepared(shape, (): WriteIntent => {
      const called = { kind: 'function', call: call.at(read?.inputs.length ?? 0), dialect: this.dialect } as const;
      if (table === undefined || read === undefined) return called;
      const { select, where, orderBy, limit, offset } = this.readOf(read);
      const page = { ...(limit && { limit }), ...(offset && { offset }) };
      return { ...called, rows: { table, select, ...(where && { where }), ...(orderBy && { orderBy }), ...page } };
    });
    timing?.mark('plan');
    const inputs = [...(read?.inputs ?? []), ...call.values];
    const isSingle = this.dialect === 'postgrest' && read?.format === 'object' && call.called.returnsSet === true;
    const job = { prepared, inputs, ...(isSingle ? { check: exactlyOneObject } : {}) };
    const outcome = await writes.runner.run([job], identity, { signal: context.signal });
    timing?.mark('database');
    if (outcome.kind === 'failed') throw outcome.error;
    if (isVoid(call.called)) return { status: 204, headers: {} };
    const text = outcome.written[0]?.text;
    return isSingle
      ? { ...bare(onlyObject(text ?? '[]', 1)), headers: { 'content-type': contentTypes.object } }
      : bare(text);
  }

  private prepared(shape: string, intent: () => WriteIntent): PreparedWrite {
    const { services, identity, writes } = this.parts;
    const { prepared, runner } = writes;
    const readable = services.readable?.(identity);
    const key = shapeFor(shape, readable);
    const known = prepared.get(key);
    if (known !== undefined) return known;
    const made = runner.prepare(intent(), readable);
    prepared.set(key, made);
    return made;
  }

  private parsed({ query }: GivenCall, table: Table): Read {
    const { given, services, timing } = this.parts;
    const asked = { table, query, headers: given, dialect: this.dialect };
    const read = parseRead(asked, services.settings['app.max-rows']);
    timing?.mark('parse');
    return read;
  }

  private readOf(read: Read): ReadIntent {
    const intent = read.intent(this.parts.services.registry);
    if (intent.kind !== 'rows') throw new TypeError('A read without a key is a list.');
    return intent.read;
  }

  private async run(
    shape: string,
    inputs: readonly unknown[],
    intent: () => Intent,
    table?: Table,
  ): Promise<readonly RawRow[]> {
    const { services, identity, context, timing } = this.parts;
    const statement = this.statement(shape, intent, table);
    timing?.mark('plan');
    const rows = await runStatement(services.driver, statement, inputs, identity, { signal: context.signal }).catch(
      (error: unknown): never => {
        throw explainFailure(error, { does: 'read', slots: statement.slots }, services);
      },
    );
    timing?.mark('database');
    return rows;
  }

  private statement(shape: string, make: () => Intent, table: Table | undefined): Statement {
    const { services, statements, request, identity } = this.parts;
    const readable = services.readable?.(identity);
    const key = shapeFor(shape, readable);
    const known = statements.get(key);
    if (known !== undefined) return known;
    const intent = make();
    const statement = services.prepare(intent, readable);
    if (table !== undefined) recordRestUse(services, request.method ?? 'GET', table, intent);
    statements.set(key, statement);
    return statement;
  }
}

const from = (read: ReadIntent, call: GivenCall, { inputs }: Read): ReadIntent => ({
  ...read,
  from: call.at(inputs.length),
});

const bare = (text: string | null | undefined): Answer => ({
  status: 200,
  headers: { 'content-type': contentTypes.json },
  body: text ?? 'null',
  tagged: true,
});

const isVoid = ({ returns, table }: FunctionDescriptor): boolean => returns === undefined && table === undefined;

/** Throws unless the function answered one row: the transaction is then rolled back. */
function exactlyOneObject({ text }: Written): void {
  const rows = (JSON.parse(text ?? '[]') as readonly unknown[]).length;
  if (rows !== 1) throw notOneRow(rows);
}

/** Throws for every other parameter: a value has no rows to filter, sort or select from. */
function checkNothingElse(query: string): void {
  const [parameter] = parseParameters(query);
  if (parameter === undefined) return;
  throw new ServerError(
    400,
    codes.malformedParameter,
    `The function has no argument "${parameter.name.slice(0, 80)}", and its result has no rows to filter.`,
  );
}
