import { copyWith } from '../../copy-with.js';
import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import type { AnswerRow, Statement } from '../../plan/statement.js';
import { ServerError, codes } from '../../errors.js';
import type { Written } from '../../plan/write-program.js';
import { keptFor } from '../../execute/kept-for.js';
import type { RowFilter } from '../../plan/context.js';
import { readAnswer } from '../../execute/run-statement.js';
import type { PreparedWrite } from '../../execute/write-runner.js';
import { readBody } from '../../http/body.js';
import type { Intent, RowIntent, RowsIntent } from '../../plan/intent.js';
import type { FunctionIntent, RoutineIntent, WriteIntent } from '../../plan/write/write-intent.js';
import { resultRows } from '../../descriptor/results.js';
import type { Format } from '../../request/rest/grammar/accept.js';
import { chosenValues } from '../../request/rest/function/chosen-values.js';
import { callOfBody, callOfQuery, type GivenCall } from '../../request/rest/function/choose-function.js';
import { parseParameters } from '../../request/rest/grammar/parameters.js';
import { parseRead, type Read } from '../../request/rest/read/parse-read.js';
import { readObject } from '../../request/rest/write/body.js';
import type { Answer } from '../../response/answer.js';
import { explainFailure } from '../../response/explain-failure.js';
import { notOneRow, onlyObject } from '../../response/rest-rows.js';
import { appliedPreferences } from '../../response/rest-written.js';
import { functionMethods } from './functions.js';
import { countOf, runOptions, withoutRange, type ExchangeParts } from './exchange.js';
import {
  bare,
  checkAtMost,
  checkCounted,
  checkFormat,
  checkValues,
  countedExactly,
  countsValues,
  honouredBy,
  isVoid,
  preferenceApplied,
  type Asked,
} from './function-answer.js';
import { methodNotAllowed } from './routes.js';
import { recordRestUse } from './use.js';

interface Write {
  readonly shape: string;
  readonly inputs: readonly unknown[];
  readonly intent: () => WriteIntent;
}

/**
 * Answers a request to a function: GET with arguments in the query string, POST with arguments in
 * the body.
 */
export class FunctionExchange {
  constructor(
    protected readonly parts: ExchangeParts,
    protected readonly overloads: readonly FunctionDescriptor[],
  ) {}

  async respond(): Promise<void> {
    // What it prefers and accepts is known before anything runs.
    const asked: Asked = {
      preferences: this.parts.form.grammar.preferences(this.parts.given),
      format: this.format(),
    };
    const call = await this.call();
    const answer = await this.answer(call, asked);
    const { request, response, headers, timing, deliver } = this.parts;
    const common = timing === undefined ? headers : copyWith(headers, { 'server-timing': timing.header() });
    // An entity tag identifies the answer to a GET: RFC 9110, 13.1.2.
    const form = request.method === 'POST' ? { tagged: false, refusable: call.called.operation === 'query' } : {};
    await deliver(request, response, { ...answer, ...form }, common);
  }

  protected format(): Format {
    return this.parts.form.grammar.format(this.parts.given.accept);
  }

  protected async call(): Promise<GivenCall> {
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
    const given = readObject(request.headers['content-type'], await this.body());
    return callOfBody(this.overloads, given, query, services.registry.restNames);
  }

  protected body(): Promise<Buffer> {
    return readBody(this.parts.request, this.parts.services.settings['app.limits.body-bytes']);
  }

  protected tableOf({ called }: GivenCall): Table | undefined {
    return called.table === undefined ? undefined : this.parts.services.registry.table.get(called.table);
  }

  protected answer(call: GivenCall, asked: Asked): Promise<Answer> {
    const table = this.tableOf(call);
    checkCounted(call.called, asked);
    checkFormat(call.called, table, asked);
    return table === undefined ? this.value(call, asked) : this.rows(call, table, asked);
  }

  /** CSV exists only for lists, so one row is then answered as a list. */
  private async rows(call: GivenCall, table: Table, asked: Asked): Promise<Answer> {
    const read = this.parsed(call, table);
    const { format, limit, offset, range } = read;
    const isList = call.called.returnsSet === true || format === 'csv';
    const intent = (): RowsIntent | RowIntent => {
      const wanted = listOf(read, this.parts.services.registry);
      return isList ? wanted : { kind: 'row', read: wanted.read };
    };
    const applied = appliedPreferences(honouredBy(call, asked));
    const row = await this.result(call, read, isList ? '' : 'one', intent, asked, isList ? onlyRow(format) : undefined);
    if (!isList) return bare(row?.[0], asked, applied);
    const options = { format, limit, offset, applied, ranged: range !== undefined, count: countOf(read) };
    return this.parts.form.list(row === undefined ? [] : [row], options);
  }

  /**
   * The row that answers a read of the function's result. A function that may write is called by a
   * write, which `max-affected` and `check` roll back.
   */
  protected async result(
    call: GivenCall,
    read: Read,
    variant: string,
    intent: () => RowsIntent | RowIntent,
    asked: Asked,
    check: (row: AnswerRow | undefined) => void = () => undefined,
  ): Promise<AnswerRow | undefined> {
    const shape = `${call.shape}\0${variant}\0${read.shape}`;
    const inputs = [...read.inputs, ...call.values];
    const checked = (row: AnswerRow | undefined): AnswerRow | undefined => {
      checkAtMost(Number(row?.[1] ?? 0), asked);
      check(row);
      return row;
    };
    if (call.called.operation === 'mutation') {
      const make = (): WriteIntent => ({ ...this.called(call, read.inputs.length), rows: countedExactly(intent()) });
      const { answered } = await this.write({ shape, inputs, intent: make }, asked, ({ answered: row }) =>
        checked(row),
      );
      return answered;
    }
    const from = call.at(read.inputs.length);
    const make = (): Intent => {
      const wanted = intent();
      return { ...wanted, read: { ...wanted.read, from } };
    };
    const [row] = await this.run(shape, inputs, make, this.tableOf(call));
    return checked(row);
  }

  /** A value, or the list of values. */
  protected async value(call: GivenCall, asked: Asked): Promise<Answer> {
    const applied = appliedPreferences(honouredBy(call, asked));
    const counts = countsValues(call, asked);
    const check = (text: string | null | undefined): void => {
      if (counts) checkValues(text ?? '[]', asked);
    };
    const text = await this.valueText(call, asked, counts ? check : undefined);
    if (isVoid(call.called) && call.called.operation === 'mutation')
      return { status: 204, headers: preferenceApplied(applied) };
    return bare(counts && asked.format === 'object' ? onlyObject(text ?? '[]', 1) : text, asked, applied);
  }

  private async valueText(
    call: GivenCall,
    asked: Asked,
    check: ((text: string | null | undefined) => void) | undefined,
  ): Promise<string | Buffer | null | undefined> {
    if (call.called.operation === 'mutation') {
      checkNothingElse(call.query);
      const write = { shape: call.shape, inputs: call.values, intent: () => this.calledAlone(call) };
      const { text } = await this.write(
        write,
        asked,
        check &&
          (({ text: found }) => {
            check(found);
          }),
      );
      return text;
    }
    const [row] = await this.valueRow(call);
    check?.(row?.[0]?.toString());
    return row?.[0];
  }

  private valueRow(call: GivenCall): Promise<readonly AnswerRow[]> {
    const { services, form } = this.parts;
    const table = resultRows(call.called, services.registry);
    if (table === undefined || call.query === '') {
      checkNothingElse(call.query);
      return this.run(`value ${call.shape}`, call.values, () => ({
        kind: 'document',
        fields: [{ kind: 'value', as: 'value', value: { call: call.at(0), form } }],
      }));
    }
    const read = parseRead({ table, query: call.query, headers: {}, form }, services.settings['app.max-rows']);
    return this.run(`${call.shape}\0values\0${read.shape}`, [...read.inputs, ...call.values], () => {
      const value = chosenValues(call.at(read.inputs.length), listOf(read, services.registry).read);
      return { kind: 'document', fields: [{ kind: 'value', as: 'value', value }] };
    });
  }

  protected called(call: GivenCall, first: number): FunctionIntent {
    return { kind: 'function', call: call.at(first), form: this.parts.form };
  }

  private calledAlone(call: GivenCall): RoutineIntent {
    const { procedure, arguments: all } = call.called;
    if (procedure === undefined) return this.called(call, 0);
    const given = call.at(0).arguments.map(({ position, value }) => {
      const argument = all[position];
      return { position: procedure.arguments.findIndex((each) => each === argument), value };
    });
    return { kind: 'call', procedure, arguments: given, form: this.parts.form };
  }

  /** @param check an error of it rolls everything back */
  protected async write(
    { shape, inputs, intent }: Write,
    { preferences }: Asked,
    check: ((written: Written) => void) | undefined,
  ): Promise<Written> {
    const { writes, identity, timing, services } = this.parts;
    const rowFilter = services.rowFilter?.(identity);
    const prepared = this.prepared(shape, intent, rowFilter);
    timing?.mark('plan');
    const options = {
      ...runOptions(this.parts),
      ...(preferences.tx === 'rollback' ? { dryRun: services.dialect.deferredChecks } : {}),
    };
    const request = { prepared, inputs, rowFilter, ...(check === undefined ? {} : { check }) };
    const outcome = await writes.runner.run([request], identity, options);
    timing?.mark('database');
    if (outcome.kind === 'failed') throw outcome.error;
    const [written] = outcome.written;
    if (written === undefined) throw new TypeError('A call answers one row.');
    return written;
  }

  private prepared(shape: string, intent: () => WriteIntent, rowFilter: RowFilter | undefined): PreparedWrite {
    const { prepared, runner } = this.parts.writes;
    return keptFor(prepared, shape, rowFilter, () => runner.prepare(intent(), rowFilter));
  }

  protected parsed({ query }: GivenCall, table: Table, accept = this.parts.given.accept): Read {
    const { given, services, timing, form } = this.parts;
    const headers = { ...withoutRange(given, this.parts.request.method, form), accept };
    const asked = { table, query, headers, form, mediaHandlers: services.registry.mediaHandlers };
    const read = parseRead(asked, services.settings['app.max-rows']);
    timing?.mark('parse');
    return read;
  }

  protected async run(
    shape: string,
    inputs: readonly unknown[],
    intent: () => Intent,
    table?: Table,
  ): Promise<readonly AnswerRow[]> {
    const { services, identity, timing } = this.parts;
    const rowFilter = services.rowFilter?.(identity);
    const statement = this.statement(shape, intent, table, rowFilter);
    timing?.mark('plan');
    const options = runOptions(this.parts);
    const rows = await readAnswer(services.driver, statement, inputs, identity, options, rowFilter).catch(
      (error: unknown): never => {
        throw explainFailure(error, { does: 'read', slots: statement.slots }, services);
      },
    );
    timing?.mark('database');
    return rows;
  }

  private statement(
    shape: string,
    make: () => Intent,
    table: Table | undefined,
    rowFilter: RowFilter | undefined,
  ): Statement {
    const { services, statements, request } = this.parts;
    return keptFor(statements, shape, rowFilter, () => {
      const intent = make();
      const statement = services.prepare(intent, rowFilter);
      if (table !== undefined) recordRestUse(services, request.method ?? 'GET', table, intent);
      return statement;
    });
  }
}

/** A list that a client wants as a single object has one row: otherwise the call is rolled back. */
export const onlyRow =
  (format: Format) =>
  (row: AnswerRow | undefined): void => {
    const shown = Number(row?.[1] ?? 0);
    if (format === 'object' && shown !== 1) throw notOneRow(shown);
  };

/** A read without a key is a list. */
export function listOf(read: Read, registry: Registry): RowsIntent {
  const intent = read.intent(registry);
  if (intent.kind !== 'rows') throw new TypeError('A read without a key is a list.');
  return intent;
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
