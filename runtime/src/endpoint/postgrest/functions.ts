import { calledRows } from '../../descriptor/results.js';
import { ServerError } from '../../errors.js';
import type { RowsIntent } from '../../plan/intent.js';
import type { GivenCall } from '../../request/rest/function/choose-function.js';
import { callByBody, callByQuery } from '../../request/rest/function/postgrest-call.js';
import type { Answer } from '../../response/answer.js';
import { contentRange, onlyObject } from '../../response/rest-rows.js';
import { appliedHeader, appliedTo } from '../../response/postgrest/applied.js';
import { bare, checkCounted, exactly, isVoid, type Asked } from '../rest/function-answer.js';
import { FunctionExchange, listOf, onlyRow } from '../rest/functions.js';

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
    return call.called.operation === 'query' ? call : { ...call, called: { ...call.called, operation: 'query' } };
  }

  protected override async answer(call: GivenCall, asked: Asked): Promise<Answer> {
    const { called } = call;
    checkCounted(called, asked);
    const applied = appliedTo('call', asked.preferences);
    const count = exactly(asked.preferences.count);
    const single = { 'content-range': contentRange(0, 1, count === 'exact' ? 1 : undefined) };
    if (isVoid(called)) {
      await this.value({ ...call, query: '' }, { ...asked, format: 'json' });
      return { status: 204, headers: { ...single, ...appliedHeader(applied) } };
    }
    const table = this.tableOf(call);
    const read = this.parsed(call, table ?? calledRows(called));
    const { format, limit, offset } = read;
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
    const isList = called.returnsSet === true || format === 'csv' || format === 'geojson';
    if (!isList) return bare(row?.[1] === '1' ? onlyObject(row[0] ?? '', 1) : null, asked, applied, single);
    return this.parts.form.list(row === undefined ? [] : [row], {
      format,
      limit,
      offset,
      applied,
      ranged: false,
      count,
    });
  }
}

const cannotCallBy = (method: string): ServerError =>
  new ServerError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);
