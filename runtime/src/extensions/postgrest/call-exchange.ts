import { calledRows } from '../../descriptor/results.js';
import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import { ServerError } from '../../errors.js';
import type { RowsIntent } from '../../plan/intent.js';
import type { GivenCall } from '../../request/rest/function/choose-function.js';
import type { Format } from '../../request/rest/grammar/accept.js';
import { rawType } from './request/accept.js';
import { callByBody, callByQuery } from './request/call.js';
import type { Answer } from '../../response/answer.js';
import { contentRange, contentTypeOf, onlyObject } from '../../response/rest-rows.js';
import { rawContentType } from './answer/answers.js';
import { appliedHeader, appliedTo } from './answer/applied.js';
import { bare, checkCounted, exactly, isVoid, type Asked } from '../../endpoint/rest/function-answer.js';
import { FunctionExchange, listOf, onlyRow } from '../../endpoint/rest/call-exchange.js';

/**
 * Answers a call as PostgREST does: every result is rows, which are selected, filtered and counted.
 * A result that is no list is the only row. Source: PostgREST, "Functions as RPC".
 */
export class PostgrestFunctionExchange extends FunctionExchange {
  /** A function that may write is called by GET, too: in a transaction that only reads. */
  protected override async call(): Promise<GivenCall> {
    const { request, query, called } = this.parts;
    const { method = 'GET', headers } = request;
    if (called === undefined) throw new TypeError('A call has a name.');
    const path = { ...called, overloads: this.overloads };
    if (method === 'POST') return callByBody(path, headers['content-type'], await this.body(), query);
    if (method !== 'GET' && method !== 'HEAD') throw cannotCallBy(method);
    const call = callByQuery(path, query);
    if (call.called.procedure !== undefined || call.called.resultSet !== undefined) throw cannotCallBy(method);
    return call.called.operation === 'query' ? call : { ...call, called: { ...call.called, operation: 'query' } };
  }

  /** The function may have a media type of its own, so this is known with the function. */
  protected override format(): Format {
    return 'json';
  }

  protected override async answer(call: GivenCall, { preferences }: Asked): Promise<Answer> {
    const { called } = call;
    const { given } = this.parts;
    if (called.procedure !== undefined || called.sets !== undefined)
      return this.value(call, { preferences, format: super.format() });
    const raw = rawType(given.accept, called.media);
    const table = this.tableOf(call);
    const { mediaHandlers } = this.parts.services.registry;
    const rowsOf = table ?? calledRows(called);
    const isHandled =
      this.parts.form.handlerFor({ table: rowsOf, query: call.query, headers: given, mediaHandlers }) !== undefined;
    const asked: Asked = { preferences, format: raw === undefined && !isHandled ? super.format() : 'json' };
    checkCounted(called, asked);
    const applied = appliedTo('call', asked.preferences);
    const count = exactly(asked.preferences.count);
    const single = { 'content-range': contentRange(0, 1, count === 'exact' ? 1 : undefined) };
    if (isVoid(called)) {
      await this.value({ ...call, query: '' }, { ...asked, format: 'json' });
      return { status: 204, headers: { ...single, ...appliedHeader(applied) } };
    }
    // Its own type, which no aggregate replaces, is made of JSON.
    const accept = raw === undefined ? given.accept : 'application/vnd.pgrst.array+json';
    const read = this.parsed(call, rowsOf, accept);
    const { format, handler, limit, offset, stripsNulls } = read;
    const isBare = table === undefined && called.columns === undefined && (format === 'json' || format === 'object');
    const intent = (): RowsIntent => {
      const wanted = listOf(read, this.parts.services.registry);
      return {
        ...wanted,
        count: table === undefined ? exactly(wanted.count) : wanted.count,
        ...(isBare ? { isBare } : {}),
      };
    };
    const row = await this.result(
      call,
      read,
      '',
      intent,
      asked,
      called.returnsSet === true ? onlyRow(format) : undefined,
    );
    const isList = called.returnsSet === true || handler !== undefined || format === 'csv' || format === 'geojson';
    const text = !isList && row?.[1] === '1' ? onlyObject(row[0] ?? '', 1) : null;
    if (raw !== undefined) {
      const headers = { 'content-type': rawContentType(raw), ...single, ...appliedHeader(applied) };
      return { status: 200, headers, body: rawBody(text, called), tagged: true };
    }
    if (!isList) return bare(text, asked, applied, { ...single, ...typeOf(format, stripsNulls) });
    return this.parts.form.list(row === undefined ? [] : [row], {
      format,
      handler,
      limit,
      offset,
      applied,
      ranged: false,
      count,
      stripsNulls,
    });
  }
}

const typeOf = (format: Format, stripsNulls: boolean) =>
  stripsNulls ? { 'content-type': contentTypeOf(format, true) } : {};

/** The bytes or the text of a value, of which the database has written JSON. */
function rawBody(json: string | null, { returns }: FunctionDescriptor): string | Buffer {
  if (json === null || json === 'null') return '';
  if (returns?.kind === 'json' || returns?.kind === 'jsonb') return json;
  const value: unknown = JSON.parse(json);
  if (returns?.kind === 'bytes') return Buffer.from(String(value).slice(2), 'hex');
  return typeof value === 'string' ? value : json;
}

const cannotCallBy = (method: string): ServerError =>
  new ServerError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);
