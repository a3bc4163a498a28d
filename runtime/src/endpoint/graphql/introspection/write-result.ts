import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import type { IntrospectedField } from '../../../request/graphql/query/introspected-field.js';
import { concatenate } from '../../../slices.js';

/**
 * An answer to introspection: the whole body of a response, and where in it each root field is,
 * with its key.
 */
export interface IntrospectedBody {
  readonly body: Buffer;
  readonly members: readonly Buffer[];
}

/** Says that an answer became longer than it may be. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * Writes what introspection answers as JSON, straight from the schema. Yields often: graphql-js
 * would answer in one piece of seconds where there are a thousand tables (decision 034).
 */
export function* writeIntrospection(
  schema: GraphQLSchema,
  types: ListedTypes,
  fields: readonly IntrospectedField[],
  mostBytes: number,
): Generator<undefined, IntrospectedBody> {
  const out = new Chunks(mostBytes);
  const context = { schema, out, types, texts: new Texts(schema) };
  const bounds: { readonly start: number; readonly end: number }[] = [];
  out.add('{"data":{');
  for (const [at, field] of fields.entries()) {
    if (at > 0) out.add(',');
    const start = out.length();
    yield* writeMember(context, schema, field);
    bounds.push({ start, end: out.length() });
  }
  out.add('}}');
  const body = yield* out.joined();
  return { body, members: bounds.map(({ start, end }) => body.subarray(start, end)) };
}

/** The types that introspection lists. */
export interface ListedTypes {
  readonly all: readonly GraphQLNamedType[];
  readonly byName: ReadonlyMap<string, GraphQLNamedType>;
}

interface Writing {
  readonly schema: GraphQLSchema;
  readonly out: Chunks;
  readonly types: ListedTypes;
  readonly texts: Texts;
}

function* writeMember(context: Writing, source: unknown, field: IntrospectedField): Generator<undefined, void> {
  const { out, texts } = context;
  out.add(field.key);
  const value = valueOf(context, source, field);
  if (field.fields === undefined || isNothing(value)) out.add(texts.value(value, field));
  else if (field.isList) yield* writeItems(context, value as readonly unknown[], field.fields);
  else yield* writeMembers(context, value, field.fields);
}

/**
 * The schema's own list would make all types at once, where this one was made in slices. A schema
 * that makes its types on first use would also find types by name that nothing in it leads to.
 */
function valueOf({ schema, types }: Writing, source: unknown, field: IntrospectedField): unknown {
  if (field.type !== undefined) return types.byName.get(field.type);
  return field.name === 'types' && field.isList ? types.all : field.read(source, schema);
}

function* writeMembers(
  context: Writing,
  source: unknown,
  fields: readonly IntrospectedField[],
): Generator<undefined, void> {
  const { schema, out, texts } = context;
  let separator = '{';
  for (const field of fields) {
    out.add(separator);
    if (field.hasLists) yield* writeMember(context, source, field);
    else out.add(field.key + texts.value(field.read(source, schema), field));
    separator = ',';
  }
  out.add('}');
}

/** Items between which nothing is yielded. */
const ITEMS_AT_ONCE = 16;

function* writeItems(
  context: Writing,
  items: readonly unknown[],
  fields: readonly IntrospectedField[],
): Generator<undefined, void> {
  const { out, texts } = context;
  const nested = fields.some(({ hasLists }) => hasLists);
  // In the list of all types each is met once: keeping its text would cost more than writing it
  // again.
  const once = items === context.types.all;
  out.add('[');
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) out.add(',');
    if (nested) yield* writeMembers(context, items[at], fields);
    else out.add(once ? texts.write(items[at], fields) : texts.object(items[at], fields));
    if (at % ITEMS_AT_ONCE === 0) yield;
  }
  out.add(']');
}

/**
 * The JSON of values without lists of objects below them. Kept while an answer is written: types,
 * arguments and input fields are the same objects in many places of a schema.
 */
class Texts {
  private readonly kept = new Map<readonly IntrospectedField[], Map<unknown, string>>();

  constructor(private readonly schema: GraphQLSchema) {}

  value(value: unknown, { fields }: IntrospectedField): string {
    if (isNothing(value)) return 'null';
    return fields === undefined ? JSON.stringify(value) : this.object(value, fields);
  }

  object(source: unknown, fields: readonly IntrospectedField[]): string {
    let texts = this.kept.get(fields);
    if (texts === undefined) this.kept.set(fields, (texts = new Map<unknown, string>()));
    let text = texts.get(source);
    // Joined, not added up: a text made of many small ones would be put together again each time it
    // is written.
    if (text === undefined) texts.set(source, (text = [this.write(source, fields)].join()));
    return text;
  }

  /** The same for objects that are met once. */
  write(source: unknown, fields: readonly IntrospectedField[]): string {
    let text = '';
    let separator = '{';
    for (const field of fields) {
      text += separator + field.key + this.value(field.read(source, this.schema), field);
      separator = ',';
    }
    return `${text}}`;
  }
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Characters that become a chunk of bytes. */
const CHUNK = 256 * 1024;

/** Text that becomes bytes as it grows. */
class Chunks {
  private text = '';
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  add(text: string): void {
    this.text += text;
    if (this.text.length > CHUNK) this.flush();
  }

  /** Bytes so far. */
  length(): number {
    this.flush();
    return this.bytes;
  }

  *joined(): Generator<undefined, Buffer> {
    this.flush();
    return yield* concatenate(this.chunks);
  }

  private flush(): void {
    if (this.text === '') return;
    const chunk = Buffer.from(this.text);
    this.text = '';
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > this.mostBytes) throw new AnswerTooLong('An answer to introspection is too long.');
  }
}
