import { boundsOf } from '../../../descriptor/cache-bounds.js';
import { readsOnly, tablesRead, visibleColumns, type ChangeEvent, type ChangeSource } from '../../../events/source.js';
import type { Identity } from '../../../dialect/driver.js';
import { keyOfValues } from '../../../exact-number.js';
import { located, type Selected } from '../../../request/graphql/arguments/scope.js';
import type { CompiledRequest } from '../../../request/graphql/compile.js';
import type { ChangeMember, ChangesStep, SubscriptionStep } from '../../../request/graphql/query/subscription.js';
import { keptFor } from '../../../execute/kept-for.js';
import type { RowFilter } from '../../../plan/context.js';
import type { Services } from '../../../execute/services.js';
import type { RowsIntent } from '../../../plan/intent.js';
import type { Statement } from '../../../plan/statement.js';
import { listKeys, type SnapshotStatements } from './list-keys.js';
import { BoundedCache } from '../../../bounded-cache.js';

/** The compiled form of a subscription, cached by its shape. */
interface Prepared extends Omit<ChangeSource, 'inputs' | 'key' | 'rowFilter' | 'finish' | 'snapshot'> {
  readonly kind: 'changes';
  /** The root field, if the user's code takes part in its events. */
  readonly custom: Selected | undefined;
  readonly snapshot?: SnapshotStatements;
  readonly size: number;
}

type Kept = Prepared | Extract<SubscriptionStep, { readonly kind: 'custom' }>;

/** A subscription to changes, or to messages from the user's code. */
export type Subscribed =
  | { readonly kind: 'changes'; readonly source: ChangeSource }
  | { readonly kind: 'custom'; readonly selected: Selected };

/** Makes an event from the text of its root field, with the user's code. */
export type FinishEvent = (selected: Selected, written: string, identity: Identity) => Promise<string>;

/**
 * Compiles subscriptions for the hub. Planned once for each shape, as all requests.
 */
export class Subscriptions {
  private readonly prepared: BoundedCache<Kept>;

  constructor(private readonly services: Services) {
    this.prepared = new BoundedCache({
      ...boundsOf(services.registry, 500, 8000),
      sizeCalculation: (kept, shape) => ('size' in kept ? kept.size : 0) + shape.length,
    });
  }

  /** Throws GraphQLError for what asks too much. */
  open(compiled: CompiledRequest, identity: Identity, finish: FinishEvent): Subscribed {
    const rowFilter = this.services.rowFilter?.(identity);
    const prepared = keptFor(this.prepared, compiled.shape, rowFilter, (): Kept => {
      const step = compiled.buildSubscription();
      if (step.kind === 'custom') return step;
      return located(step.selected, () => this.prepare(step, rowFilter));
    });
    if (prepared.kind === 'custom') return prepared;
    const { inputs } = compiled;
    const { custom, snapshot, ...source } = prepared;
    // An identity whose claims have changed has other conditions.
    const conditions = JSON.stringify([...(rowFilter?.conditions ?? [])]);
    const key = `${compiled.shape}\n${keyOfValues(inputs)}\n${conditions}`;
    const given = { ...source, inputs, key, ...(rowFilter === undefined ? {} : { rowFilter }) };
    const asked = snapshot === undefined ? given : { ...given, snapshot: listKeys(snapshot, given) };
    if (custom === undefined) return { kind: 'changes', source: asked };
    return { kind: 'changes', source: { ...asked, finish: (written, who) => finish(custom, written, who) } };
  }

  private prepare(
    { selected, custom, table, members, operations, intent, snapshot }: ChangesStep,
    rowFilter: RowFilter | undefined,
  ): Prepared {
    const statement = this.services.prepare(intent, rowFilter);
    const condition = rowFilter?.condition(table);
    const isHidden = condition === undefined ? undefined : true;
    // The user's code may read any column.
    const visible = custom ? undefined : visibleColumns(intent, rowFilter);
    const isShownByOthers = condition !== undefined && visible !== undefined && !readsOnly(condition, visible);
    const prepare = (each: RowsIntent): Statement => this.services.prepare(each, rowFilter);
    const listed = snapshot && { first: prepare(snapshot.first), next: prepare(snapshot.next) };
    const write = writerOf(table, members);
    const before = `{"data":{${JSON.stringify(selected.as)}:`;
    return {
      kind: 'changes',
      custom: custom ? selected : undefined,
      table,
      operations,
      statement,
      // What hooks say is another thing for each identity, and nothing that can be asked of a row
      // that is gone.
      reads: rowFilter === undefined ? tablesRead(intent, this.services.registry) : undefined,
      ...(isHidden === undefined ? {} : { isHidden }),
      ...(visible === undefined ? {} : { visible }),
      ...(isShownByOthers ? { isShownByOthers } : {}),
      isFiltered: isHidden ?? intent.where !== undefined,
      rowCount: intent.rows.length,
      formerCount: intent.formerRows.length,
      write: custom ? write : (event) => `${before}${write(event)}}}`,
      ...(listed && { snapshot: listed }),
      size: statement.text.length + (listed === undefined ? 0 : listed.first.text.length + listed.next.text.length),
    };
  }
}

/** Writes an event as the object that its root field is answered with. */
function writerOf(table: ChangesStep['table'], members: readonly ChangeMember[]): ChangeSource['write'] {
  const writers = members.map((member, at) => {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(member.as)}:`;
    const write = valueWriter(member, table);
    return (event: ChangeEvent) => name + write(event);
  });
  return (event) => {
    let text = '{';
    for (const write of writers) text += write(event);
    return `${text}}`;
  };
}

function valueWriter({ value }: ChangeMember, table: ChangesStep['table']): (event: ChangeEvent) => string {
  switch (value.kind) {
    case 'typename':
      return constant(value.type);
    case 'schema':
      return constant(table.schema);
    case 'table':
      return constant(table.name);
    case 'operation':
      return ({ operation }) => `"${operation}"`;
    case 'timestamp':
      return ({ timestamp }) => JSON.stringify(timestamp);
    case 'key':
      return ({ key }) => key ?? 'null';
    case 'error':
      return ({ error }) => JSON.stringify(error ?? null);
    case 'row':
      return ({ rows }) => rows[value.at] ?? 'null';
    case 'former':
      return ({ formerRows }) => formerRows[value.at] ?? 'null';
  }
}

function constant(value: string): () => string {
  const text = JSON.stringify(value);
  return () => text;
}
