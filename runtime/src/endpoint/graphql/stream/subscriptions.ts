import { LRUCache } from 'lru-cache';
import { boundsOf } from '../../../bounds.js';
import { tablesRead, type ChangeEvent, type ChangeSource } from '../../../events/source.js';
import { ExactNumber } from '../../../exact-number.js';
import type { CompiledRequest } from '../../../request/graphql/compile.js';
import type { ChangeMember, ChangesStep } from '../../../request/graphql/subscription.js';
import type { Services } from '../../../execute/services.js';

/** What is made of a subscription once for its shape. */
interface Prepared extends Pick<ChangeSource, 'table' | 'operations' | 'statement' | 'reads' | 'isFiltered' | 'write'> {
  readonly size: number;
}

/** Compiles subscriptions to what the hub takes. Planned once for each shape, as everything else. */
export class Subscriptions {
  private readonly prepared: LRUCache<string, Prepared>;

  constructor(private readonly services: Services) {
    this.prepared = new LRUCache({
      ...boundsOf(services.registry, 500, 8000),
      sizeCalculation: ({ size }, shape) => size + shape.length,
    });
  }

  /** Throws GraphQLError for what cannot be subscribed to. */
  sourceOf(compiled: CompiledRequest): ChangeSource {
    let prepared = this.prepared.get(compiled.shape);
    if (prepared === undefined) {
      prepared = this.prepare(compiled.buildSubscription());
      this.prepared.set(compiled.shape, prepared);
    }
    const { inputs, shape } = compiled;
    return { ...prepared, inputs, key: `${shape}\n${JSON.stringify(inputs, exactly)}` };
  }

  private prepare({ as, table, members, operations, intent }: ChangesStep): Prepared {
    const statement = this.services.prepare(intent);
    return {
      table,
      operations,
      statement,
      reads: tablesRead(intent, this.services.registry),
      isFiltered: intent.where !== undefined,
      write: writerOf(as, table, members),
      size: statement.text.length,
    };
  }
}

/** Values that JSON would round have to stay apart. */
const exactly = (_name: string, value: unknown): unknown =>
  value instanceof ExactNumber || typeof value === 'bigint' ? { exact: String(value) } : value;

function writerOf(as: string, table: ChangesStep['table'], members: readonly ChangeMember[]): ChangeSource['write'] {
  const before = `{"data":{${JSON.stringify(as)}:{`;
  const writers = members.map((member, at) => {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(member.as)}:`;
    const write = valueWriter(member, table);
    return (event: ChangeEvent) => name + write(event);
  });
  return (event) => {
    let text = before;
    for (const write of writers) text += write(event);
    return `${text}}}}`;
  };
}

function valueWriter({ tells }: ChangeMember, table: ChangesStep['table']): (event: ChangeEvent) => string {
  switch (tells.kind) {
    case 'typename':
      return constant(tells.type);
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
      return ({ rows }) => rows[tells.at] ?? 'null';
  }
}

function constant(value: string): () => string {
  const text = JSON.stringify(value);
  return () => text;
}
