import { createHash } from 'node:crypto';
import { getIntrospectionQuery, type GraphQLSchema } from 'graphql';
import { introspectionCost } from './introspection/cost.js';
import type { IntrospectedField } from '../../request/graphql/query/introspected-field.js';
import { measureSchema, type SchemaSize } from './introspection/size.js';
import { createQueue, inSlices, type Queue } from '../../slices.js';
import {
  AnswerTooLong,
  writeIntrospection,
  type IntrospectedBody,
  type ListedTypes,
} from './introspection/write-result.js';
import { refusedLimit } from '../../request/graphql/arguments/refusal.js';
import type { ServerError } from '../../errors.js';
import { compress, type Coding } from '../../response/content-coding.js';
import { LazySchema } from '../../schema/lazy-schema.js';
import { listTypes } from '../../schema/list-types.js';
import type { CancelSignal } from '../../cancel-signal.js';
import type { Settings } from '../../settings/settings.js';
import { BoundedCache } from '../../bounded-cache.js';

/** An answer to introspection, in the forms that clients take. */
export interface Introspected extends IntrospectedBody {
  /** The body in a coding, compressed once. */
  readonly compressed: (coding: Coding) => Promise<Buffer>;
}

/** The schema as introspection sees it. */
interface Whole {
  readonly schema: GraphQLSchema;
  readonly types: ListedTypes;
  readonly size: SchemaSize;
  readonly mostCost: number;
  readonly mostBytes: number;
  /** By the ids of their fields. */
  readonly answers: BoundedCache<Introspected>;
}

/** Documents that cost less are never refused: a small schema may be asked for a lot. */
const FREE_COST = 100_000;

/**
 * Bytes that a value of an answer takes at most on average, its key among them; descriptions are
 * counted apart.
 */
const BYTES_PER_VALUE = 40;

/**
 * Milliseconds after the last answer until the types of the schema and the answers are given up:
 * they take 130 MB where there are a thousand tables.
 */
const KEPT = 5 * 60_000;

const setting = 'app.graphql.max-introspection-cost';

/**
 * Answers introspection within limits that are known before it runs, in slices, one document at a
 * time, so that other requests are answered meanwhile. The answers are kept as bytes.
 */
export class Introspector {
  private readonly queue: Queue = createQueue();
  private whole: Whole | undefined;
  private end: NodeJS.Timeout | undefined;

  /** @param standard the fields of the standard introspection query */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly settings: Pick<Settings, typeof setting>,
    private readonly standard: () => readonly IntrospectedField[],
  ) {}

  /** Rejects with ServerError `limitExceeded` when the fields ask for too much. */
  async answer(fields: readonly IntrospectedField[], signal?: CancelSignal): Promise<Introspected> {
    const id = createHash('sha256')
      .update(fields.map((field) => field.id).join())
      .digest('base64url');
    try {
      return this.whole?.answers.get(id) ?? (await this.queue(() => this.make(id, fields, signal)));
    } finally {
      this.keep();
    }
  }

  private keep(): void {
    clearTimeout(this.end);
    this.end = setTimeout(() => {
      this.whole = undefined;
    }, KEPT).unref();
  }

  private async make(
    id: string,
    fields: readonly IntrospectedField[],
    signal: CancelSignal | undefined,
  ): Promise<Introspected> {
    const whole = (this.whole ??= await inSlices(this.measure(), undefined));
    const known = whole.answers.get(id);
    if (known !== undefined) return known;
    const cost = introspectionCost(whole.schema, whole.size, fields);
    if (cost > whole.mostCost) throw this.tooMuch();
    const written = await this.write(whole, fields, signal);
    const answer = { ...written, compressed: compressOnce(written.body) };
    whole.answers.set(id, answer, { size: Math.max(1, cost) });
    return answer;
  }

  private async write(
    { schema, types, mostBytes }: Whole,
    fields: readonly IntrospectedField[],
    signal: CancelSignal | undefined,
  ): Promise<IntrospectedBody> {
    try {
      return await inSlices(writeIntrospection(schema, types, fields, mostBytes), signal);
    } catch (error) {
      throw error instanceof AnswerTooLong ? this.tooMuch() : error;
    }
  }

  private *measure(): Generator<undefined, Whole> {
    const schema = this.schema instanceof LazySchema ? yield* this.schema.again() : this.schema;
    const all = yield* listTypes(schema);
    const types = { all, byName: new Map(all.map((type) => [type.name, type])) };
    const size = yield* measureSchema(schema, all);
    const times = this.settings[setting];
    const mostCost = Math.max(FREE_COST, times * introspectionCost(schema, size, this.standard()));
    return {
      schema,
      types,
      size,
      mostCost,
      mostBytes: mostCost * BYTES_PER_VALUE + times * 2 * 3 * size.text,
      answers: new BoundedCache({ max: 50, maxSize: mostCost }),
    };
  }

  private tooMuch(): ServerError {
    const times = this.settings[setting];
    const most = times === 1 ? 'the standard introspection query' : `${String(times)} standard introspection queries`;
    return refusedLimit(`The introspection in this document costs more than ${most}.`, setting);
  }
}

/** The document that clients send to learn a schema, with everything that it can ask for. */
export const standardQuery = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  experimentalDirectiveDeprecation: true,
  oneOf: true,
});

function compressOnce(body: Buffer): Introspected['compressed'] {
  const kept = new Map<Coding, Promise<Buffer>>();
  return (coding) => {
    const known = kept.get(coding);
    if (known !== undefined) return known;
    const compressed = compress(body, coding);
    kept.set(coding, compressed);
    compressed.catch(() => kept.delete(coding));
    return compressed;
  };
}
