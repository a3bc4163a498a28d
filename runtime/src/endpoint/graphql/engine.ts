import { GraphQLError, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { BoundedCache } from '../../bounded-cache.js';
import { CountedCache } from '../../observe/metrics/cache-counts.js';
import { boundsOf } from '../../descriptor/cache-bounds.js';
import { ServerError, codes } from '../../errors.js';
import type { IntrospectedField } from '../../request/graphql/query/introspected-field.js';
import { concatenate, inSlices } from '../../slices.js';
import {
  createCompiler,
  type CompileDocument,
  type CompiledRequest,
  type GraphqlRequest,
} from '../../request/graphql/compile.js';
import type { Operation } from '../../request/graphql/document/documents.js';
import { withoutValues } from '../../request/graphql/document/without-values.js';
import type { Selected } from '../../request/graphql/arguments/scope.js';
import { compress } from '../../response/content-coding.js';
import { explainFailure } from '../../response/explain-failure.js';
import { beforeData } from '../../response/graphql-answer.js';
import { dataText, type FieldTexts } from '../../response/graphql-answers.js';
import { databaseJsonText, parseDatabaseJson } from '../../response/graphql-json.js';
import { toServerError } from '../../response/server-error.js';
import { answerTooLong } from '../../dialect/answer-too-long.js';
import { cannotAct } from '../../execute/custom/acting-identity.js';
import { createCaller, type Ask, type AskingServices } from '../../execute/custom/caller.js';
import type { Use } from '../../execute/admission.js';
import { keptFor } from '../../execute/kept-for.js';
import type { RowFilter } from '../../plan/context.js';
import type { DocumentIntent } from '../../plan/intent.js';
import { readAnswer } from '../../execute/run-statement.js';
import type { AnswerRow, Statement } from '../../plan/statement.js';
import type { ChangeSource } from '../../events/source.js';
import type { Identity } from '../../dialect/driver.js';
import { documentFields, documentText } from '../../dialect/document-text.js';
import { inFailingField, type TryField } from './failing-field.js';
import {
  dataOf,
  failedWith,
  refusalOf,
  withRowFilter,
  type Exchange,
  type FilteredExchange,
  type Executed,
  type IntrospectionOutcome,
  type Outcome,
} from './exchange.js';
import { Executor, type Data } from './executor.js';
import { MutationEngine, partOf } from './mutation.js';
import { Reading } from './reading.js';
import { observeFailures } from './stream/observe-failures.js';
import { Subscriptions, type Subscribed } from './stream/subscriptions.js';
import { Introspector, standardQuery, type Introspected } from './introspector.js';
import { WriteRunner } from '../../execute/write-runner.js';

export type { Exchange, Outcome } from './exchange.js';

/**
 * What answers a query whose statement failed because the database has changed; undefined where
 * nothing else is served.
 */
export type Successor = (error: unknown) => Promise<GraphqlEngine | undefined>;

/** How one shape of a request is answered: kept under the shape. */
interface Answering {
  readonly statement: Statement | undefined;
  /** The names of the statement's fields. */
  readonly names: readonly string[];
  /** Whether the statement's JSON is the whole answer. */
  readonly whole: boolean;
  /** Whether the user's code decides if the statement is run at all. */
  readonly around: boolean;
  /**
   * Response keys of the root fields of which the same is true: graphql-js is not asked for them.
   */
  readonly wholeFields: ReadonlySet<string>;
  /** Every root field, in order, and those of them that introspection answers. */
  readonly fields: readonly Selected[];
  readonly introspected: readonly Selected[];
}

/** The kind of a request: one answer, or a stream of changes. */
export type Opened =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] }
  | { readonly kind: 'request'; readonly answer: (exchange: Exchange) => Promise<Outcome> }
  | { readonly kind: 'changes'; readonly source: ChangeSource }
  | { readonly kind: 'custom'; readonly subscription: CustomSubscription };

/** A subscription field of the user's code. */
export interface CustomSubscription {
  /** Rejects with what its code throws. */
  readonly subscribe: (identity: Identity) => Promise<AsyncIterable<unknown>>;
  /** The text of an event, from the subscription's message. */
  readonly answer: (event: unknown, identity: Identity) => Promise<string>;
}

/**
 * Answers GraphQL requests: compiled once per shape, one statement per query document. Where every
 * field is generated, the database's text is the answer and graphql-js executes nothing; otherwise
 * it executes over the same statement's data.
 */
export class GraphqlEngine {
  private readonly compile: CompileDocument;
  private readonly mutations: MutationEngine;
  private readonly answerings: CountedCache<Answering>;
  private readonly introspector: Introspector;
  private readonly recorded = new WeakSet<Operation>();
  private readonly subscriptions: Subscriptions;
  private readonly executor: Executor;
  private readonly costs = new BoundedCache<{ readonly cost: number }>({ max: 2000 });

  constructor(
    private readonly services: AskingServices,
    private readonly schema: GraphQLSchema,
    private readonly successor?: Successor,
  ) {
    this.answerings = new CountedCache({
      ...boundsOf(services.registry, 2000, 8000),
      sizeCalculation: ({ statement }, shape) => (statement?.text.length ?? 0) + shape.length,
    });
    services.caches?.('graphql_statements', this.answerings);
    this.compile = createCompiler(schema, services.registry, services.settings, services.caches);
    this.introspector = new Introspector(schema, services.settings, () => standardFields(this.compile));
    this.subscriptions = new Subscriptions(services);
    const runner = new WriteRunner(services);
    const { driver, actAs = cannotAct } = services;
    const ask: Ask = services.ask ?? ((query, variables, exchange) => this.ask(query, variables, exchange));
    this.executor = new Executor(services, schema, ({ identity, options, transaction }) =>
      createCaller({ runner, driver, options, actAs, ask }, identity, transaction),
    );
    this.mutations = new MutationEngine(services, async (document, compiled, written, exchange) => {
      const { fields, errors } = await this.executor.execute(document, compiled, written, exchange);
      return { kind: 'answered', data: dataText(fields), errors };
    });
  }

  /**
   * Never rejects for what a client may see, which is in the outcome, but with ServerError 405 for
   * a mutation where only queries may run.
   */
  async answer(request: GraphqlRequest, exchange: Exchange): Promise<Outcome> {
    const compiled = this.compile(request);
    exchange.mark?.('parse');
    if ('errors' in compiled) return { kind: 'refused', errors: compiled.errors };
    this.recordUse(compiled.operation);
    return this.answerCompiled(request, compiled, exchange);
  }

  /**
   * The operations and the cost that rates count for a request. An invalid request has no operation
   * and costs one unit.
   */
  use(request: GraphqlRequest): Use {
    const compiled = this.compile(request);
    if ('errors' in compiled) return { operations: new Map(), cost: 1 };
    const operations = new Map<string, number>();
    for (const { name } of compiled.fields()) operations.set(name, (operations.get(name) ?? 0) + 1);
    const name = compiled.operation.node.name?.value;
    if (name !== undefined && !operations.has(name)) operations.set(name, 1);
    const { cost } = keptFor(this.costs, compiled.shape, undefined, () => ({ cost: Math.max(1, compiled.cost()) }));
    return { operations, cost };
  }

  /** The kind of a request over a connection that can take events. */
  open(request: GraphqlRequest, identity: Identity): Opened {
    const compiled = this.compile(request);
    if ('errors' in compiled) return { kind: 'refused', errors: compiled.errors };
    this.recordUse(compiled.operation);
    if (compiled.operation.node.operation !== OperationTypeNode.SUBSCRIPTION)
      return { kind: 'request', answer: (exchange) => this.answerCompiled(request, compiled, exchange) };
    try {
      return this.opened(
        this.subscriptions.open(compiled, identity, async (selected, written, who) =>
          this.eventText(await this.executor.executeEvent(selected, written, compiled, { identity: who, options: {} })),
        ),
        compiled,
      );
    } catch (error) {
      if (error instanceof GraphQLError) return { kind: 'refused', errors: [error] };
      throw error;
    }
  }

  private opened(subscribed: Subscribed, compiled: CompiledRequest): Opened {
    if (subscribed.kind === 'changes') return subscribed;
    const { selected } = subscribed;
    const part = partOf(compiled, [selected]);
    const none = Reading.of(new Map());
    return {
      kind: 'custom',
      subscription: {
        subscribe: (identity) => this.executor.subscribe(selected, compiled, { identity, options: {} }),
        answer: async (event, identity) =>
          this.eventText(await this.executor.execute(part, compiled, none, { identity, options: {} }, event)),
      },
    };
  }

  private eventText({ fields, errors }: Data): string {
    observeFailures(errors, this.services.observe);
    return `${beforeData(errors)}${dataText(fields)}}`;
  }

  private async answerCompiled(
    request: GraphqlRequest,
    compiled: CompiledRequest,
    exchange: Exchange,
  ): Promise<Outcome> {
    switch (compiled.operation.node.operation) {
      case OperationTypeNode.SUBSCRIPTION:
        return needsConnection;
      case OperationTypeNode.MUTATION:
        if (exchange.queriesOnly === true) throw onlyQueries();
        return this.mutations.answer(compiled, exchange);
      case OperationTypeNode.QUERY:
        return this.query(request, compiled, exchange);
    }
  }

  /**
   * Adds an operation to the usage log, where there is one. An operation is one object as long as
   * its document is kept.
   */
  private recordUse(operation: Operation): void {
    const { usage } = this.services;
    if (usage === undefined || this.recorded.has(operation)) return;
    this.recorded.add(operation);
    usage({ graphql: withoutValues(operation, this.schema) });
  }

  private async query(request: GraphqlRequest, compiled: CompiledRequest, exchange: Exchange): Promise<Outcome> {
    try {
      const reading = withRowFilter(exchange, this.services);
      const answering = this.answeringOf(compiled, reading.rowFilter);
      exchange.mark?.('plan');
      if (answering.introspected.length > 0) return await this.introspect(answering, compiled, reading);
      return await this.answerData(answering, compiled, reading);
    } catch (error) {
      // In a transaction everything fails from here on.
      const next =
        exchange.isRepeated === true || exchange.transaction !== undefined ? undefined : await this.successor?.(error);
      if (next !== undefined) return next.answer(request, { ...exchange, isRepeated: true });
      return refusalOf(error) ?? failedWith(await this.inField(error, compiled, exchange));
    }
  }

  private async answerData(
    answering: Answering,
    compiled: CompiledRequest,
    exchange: FilteredExchange,
  ): Promise<Executed> {
    const { statement, names, whole } = answering;
    if (!whole || statement === undefined) {
      const { fields, errors } = await this.dataOf(answering, compiled, exchange);
      return { kind: 'answered', data: dataText(fields), errors, isRead: true };
    }
    const [row] = await this.run(statement, compiled, exchange);
    const data = documentText(names, row);
    exchange.mark?.('database');
    return { kind: 'answered', data, errors: [], isRead: true };
  }

  /**
   * The fields that introspection does not answer, in their order. Those that are the database's
   * alone are its texts.
   */
  private async dataOf(answering: Answering, compiled: CompiledRequest, exchange: FilteredExchange): Promise<Data> {
    const { statement, names, around, wholeFields, introspected } = answering;
    const reading = new Reading(async () => {
      const [row] = statement === undefined ? [] : await this.run(statement, compiled, exchange);
      exchange.mark?.('database');
      return documentFields(names, row, memberTexts);
    });
    if (!around) await reading.fields();
    const asked = answering.fields.filter((field) => !introspected.includes(field));
    const own = asked.filter(({ as }) => !wholeFields.has(as));
    if (own.length === 0) return { fields: await reading.fields(), errors: [] };
    const { fields, errors } = await this.executor.execute(partOf(compiled, own), compiled, reading, exchange);
    if (fields === undefined || own.length === asked.length) return { fields, errors };
    const read = await reading.fields();
    return { fields: new Map(asked.map(({ as }) => [as, fields.get(as) ?? read.get(as) ?? 'null'])), errors };
  }

  /** Introspection is answered first: if it is too expensive, nothing is read. */
  private async introspect(
    answering: Answering,
    compiled: CompiledRequest,
    exchange: FilteredExchange,
  ): Promise<Outcome> {
    const { fields, introspected } = answering;
    let answer: Introspected;
    try {
      answer = await this.introspector.answer(compiled.introspect(introspected), exchange.options.signal);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const [only, ...more] = fields;
      const place = only === undefined || more.length > 0 ? {} : { nodes: only.nodes, path: [only.as] };
      return { kind: 'refused', errors: [new GraphQLError(error.message, { ...place, originalError: error })] };
    }
    exchange.mark?.('introspection');
    const others = fields.filter((field) => !introspected.includes(field));
    if (others.length === 0) return { kind: 'introspected', answer, errors: [] };
    const data = await this.dataOf(answering, compiled, exchange);
    if (data.fields === undefined) return { kind: 'answered', data: 'null', errors: data.errors, isRead: true };
    // Delivery counts texts alone: what introspection has put together is bytes.
    const mostBytes = this.services.settings['app.limits.response-bytes'];
    if (Buffer.byteLength(dataText(data.fields)) > mostBytes) throw answerTooLong(mostBytes);
    return withIntrospection(data.fields, data.errors, answering, answer);
  }

  private async inField(error: unknown, compiled: CompiledRequest, exchange: Exchange): Promise<GraphQLError> {
    if (error instanceof GraphQLError) return error;
    const { identity, options, transaction } = exchange;
    // In a transaction nothing can be tried: the failure has ended it.
    const tryField: TryField | undefined =
      transaction === undefined
        ? (field) =>
            this.tryField(field, compiled, { identity, options, rowFilter: this.services.rowFilter?.(identity) })
        : undefined;
    const { intent } = compiled.build();
    return inFailingField(toServerError(error, this.services.dialect), intent, compiled.fields(), tryField);
  }

  private tryField(
    field: DocumentIntent,
    compiled: CompiledRequest,
    read: FilteredExchange,
  ): Promise<readonly AnswerRow[]> {
    return this.run(this.services.prepare(field, read.rowFilter), compiled, read);
  }

  private answeringOf(compiled: CompiledRequest, rowFilter: RowFilter | undefined): Answering {
    return keptFor(this.answerings, compiled.shape, rowFilter, () => {
      const { intent, whole, around, wholeFields, fields, introspected } = compiled.build();
      const statement = intent === undefined ? undefined : this.services.prepare(intent, rowFilter);
      const names = intent?.fields.map(({ as }) => as) ?? [];
      return { statement, names, whole, around, wholeFields, fields, introspected };
    });
  }

  private async run(
    statement: Statement,
    { inputs }: CompiledRequest,
    { identity, options, transaction, rowFilter }: FilteredExchange,
  ): Promise<readonly AnswerRow[]> {
    const driver = transaction ?? this.services.driver;
    try {
      return await readAnswer(driver, statement, inputs, identity, options, rowFilter);
    } catch (error) {
      throw explainFailure(error, { does: 'read', slots: statement.slots }, this.services);
    }
  }

  /** `Caller.query`: a document for the user's code. Rejects with the first of its errors. */
  async ask(...[query, variables, exchange]: Parameters<Ask>): ReturnType<Ask> {
    await this.services.known?.(exchange.identity);
    const outcome = await this.answer({ query, variables }, exchange);
    const [error] = outcome.errors;
    if (error !== undefined) throw error instanceof Error ? error : new TypeError('A query of a resolver failed.');
    return dataOf(outcome);
  }
}

/** The other fields' data with introspection's put in its places. */
async function withIntrospection(
  others: FieldTexts,
  errors: Data['errors'],
  { fields, introspected }: Answering,
  { members }: Introspected,
): Promise<IntrospectionOutcome> {
  const pieces = fields.flatMap((field, at) => {
    const other = (): Buffer => Buffer.from(`${JSON.stringify(field.as)}:${others.get(field.as) ?? 'null'}`);
    return [Buffer.from(at === 0 ? '{' : ','), members[introspected.indexOf(field)] ?? other()];
  });
  const whole = concatenate([Buffer.from(beforeData(errors)), ...pieces, Buffer.from('}}')]);
  const body = await inSlices(whole, undefined);
  return { kind: 'introspected', answer: { body, compressed: (coding) => compress(body, coding) }, errors };
}

/** The texts of a JSON object's members. */
function memberTexts(text: string): FieldTexts {
  const members = Object.entries(parseDatabaseJson(text) as Readonly<Record<string, unknown>>);
  return new Map(members.map(([name, value]) => [name, databaseJsonText(value)]));
}

/** The fields of the standard introspection query; none where introspection is turned off. */
function standardFields(compile: CompileDocument): readonly IntrospectedField[] {
  const compiled = compile({ query: standardQuery });
  return 'errors' in compiled ? [] : compiled.introspect(compiled.build().introspected);
}

/** RFC 9110, 9.2.1: GET changes nothing. */
const onlyQueries = (): ServerError =>
  new ServerError(405, codes.methodNotAllowed, 'GET answers queries: mutations are POST requests.', {
    hint: 'Send {"query": "…"} as JSON with POST.',
    headers: { allow: 'POST' },
  });

const needsConnection: Outcome = {
  kind: 'refused',
  errors: [
    new GraphQLError('A subscription needs a connection for events.', {
      extensions: {
        code: codes.unsupported,
        hint: 'Use a WebSocket (graphql-transport-ws), or send the header Accept: text/event-stream.',
      },
    }),
  ],
};
