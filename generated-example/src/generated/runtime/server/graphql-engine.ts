import { GraphQLError, Kind, OperationTypeNode, execute, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { boundsOf } from '../bounds.js';
import { ServerError, codes } from '../errors.js';
import type { Context, FieldInfo } from '../graphql.js';
import type { DocumentIntent } from '../plan/intent.js';
import {
  createCompiler,
  type CompileDocument,
  type CompiledRequest,
  type GraphqlRequest,
} from '../request/graphql/compile.js';
import { prepareSchema } from '../request/graphql/schema.js';
import { RawAnswers } from '../response/graphql-answers.js';
import { runStatement } from '../session/session.js';
import type { Statement } from '../session/statement.js';
import { documentText } from '../statement/document.js';
import type { Exchange, Executed, Outcome } from './graphql-exchange.js';
import { MutationEngine } from './graphql-mutation.js';
import { createSource } from './graphql-source.js';
import type { Services } from './services.js';

export type { Exchange, Outcome } from './graphql-exchange.js';

/** How one shape of a request is answered: kept under the shape. */
interface Answering {
  readonly statement: Statement | undefined;
  /** The names of the statement's fields. */
  readonly names: readonly string[];
  /** Whether the statement's JSON is the whole answer. */
  readonly whole: boolean;
}

/**
 * Answers GraphQL requests: compiled once per shape, one statement per query document. Where every field is generated,
 * the database's text is the answer and graphql-js executes nothing; otherwise it executes over the same statement's
 * data.
 */
export class GraphqlEngine {
  private readonly compile: CompileDocument;
  private readonly mutations: MutationEngine;
  private readonly answerings: LRUCache<string, Answering>;

  /** @param schema is made ready in place: see prepareSchema */
  constructor(
    private readonly services: Services,
    private readonly schema: GraphQLSchema,
  ) {
    prepareSchema(schema, services.registry);
    this.answerings = new LRUCache({
      ...boundsOf(services.registry, 2000, 8000),
      sizeCalculation: ({ statement }, shape) => (statement?.text.length ?? 0) + shape.length,
    });
    this.compile = createCompiler(schema, services.registry, services.settings);
    this.mutations = new MutationEngine(services, (document, compiled, data, exchange) =>
      this.execute(document, compiled, data, exchange),
    );
  }

  /** Never rejects for what a client may see: that is in the outcome. */
  async answer(request: GraphqlRequest, exchange: Exchange): Promise<Outcome> {
    const compiled = this.compile(request);
    exchange.mark?.('parse');
    if ('errors' in compiled) return { kind: 'refused', errors: compiled.errors };
    switch (compiled.operation.node.operation) {
      case OperationTypeNode.SUBSCRIPTION:
        return overWebSocket;
      case OperationTypeNode.MUTATION:
        return this.mutations.answer(compiled, exchange);
      case OperationTypeNode.QUERY:
        return this.query(compiled, exchange);
    }
  }

  private async query(compiled: CompiledRequest, exchange: Exchange): Promise<Outcome> {
    let answering: Answering;
    try {
      answering = this.answeringOf(compiled);
    } catch (error) {
      if (error instanceof GraphQLError) return { kind: 'refused', errors: [error] };
      throw error;
    }
    exchange.mark?.('plan');
    try {
      const data = await this.read(answering, compiled, exchange);
      exchange.mark?.('database');
      if (answering.whole && data !== undefined) return { kind: 'answered', data, errors: [] };
      return await this.execute(compiled.operation.document, compiled, data, exchange);
    } catch (error) {
      return { kind: 'answered', data: 'null', errors: [inField(error, compiled)] };
    }
  }

  private answeringOf(compiled: CompiledRequest): Answering {
    const known = this.answerings.get(compiled.shape);
    if (known !== undefined) return known;
    const { intent, whole } = compiled.build();
    const statement = intent === undefined ? undefined : this.prepare(intent, compiled);
    const answering = { statement, names: intent?.fields.map(({ as }) => as) ?? [], whole };
    this.answerings.set(compiled.shape, answering);
    return answering;
  }

  /** What the planner refuses is the client's to mend. */
  private prepare(intent: DocumentIntent, compiled: CompiledRequest): Statement {
    try {
      return this.services.prepare(intent);
    } catch (error) {
      throw error instanceof ServerError ? inField(error, compiled) : error;
    }
  }

  private async read(
    { statement, names }: Answering,
    { inputs }: CompiledRequest,
    { identity, options, session }: Exchange,
  ): Promise<string | undefined> {
    if (statement === undefined) return undefined;
    const driver = session?.driver ?? this.services.driver;
    const [row] = await runStatement(driver, statement, inputs, identity, options);
    return documentText(names, row);
  }

  /** graphql-js over data that is there already. `document` is the request's, or a part of it with the same operation. */
  private async execute(
    document: DocumentNode,
    compiled: CompiledRequest,
    data: string | undefined,
    exchange: Exchange,
  ): Promise<Executed> {
    const answers = new RawAnswers();
    const source = createSource(data, this.services.registry, answers);
    const answer = <T>(info: FieldInfo): Promise<T> => {
      const value = source.root(info);
      if (value === undefined) return Promise.reject(notGenerated(info.fieldName));
      return Promise.resolve(value as T);
    };
    const context: Context = {
      identity: exchange.identity,
      read: answer,
      write: answer,
      query: (text, variables) => this.ask(text, variables, exchange),
    };
    const result = await execute({
      schema: this.schema,
      document,
      operationName: compiled.operation.node.name?.value ?? null,
      variableValues: compiled.given,
      contextValue: context,
      fieldResolver: source.fieldResolver,
    });
    return { kind: 'answered', data: answers.write(result.data), errors: result.errors ?? [] };
  }

  /** Context.query: another document, of generated fields, for a custom resolver. */
  private async ask(
    query: string,
    variables: Readonly<Record<string, unknown>> | undefined,
    exchange: Exchange,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { identity, options, session } = exchange;
    const outcome = await this.answer(
      { query, variables },
      { identity, options, ...(session === undefined ? {} : { session }) },
    );
    const [error] = outcome.errors;
    if (error !== undefined) throw error instanceof Error ? error : new TypeError('A query of a resolver failed.');
    return outcome.kind === 'answered' ? (JSON.parse(outcome.data) as Readonly<Record<string, unknown>>) : {};
  }
}

/** A statement answers a whole document, so its failure is of one field only where the document has one. */
function inField(error: unknown, { operation }: CompiledRequest): unknown {
  if (!(error instanceof Error)) return error;
  const [selection, ...more] = operation.node.selectionSet.selections;
  const only = selection?.kind === Kind.FIELD && more.length === 0 ? selection : undefined;
  const place = only === undefined ? {} : { nodes: only, path: [only.alias?.value ?? only.name.value] };
  return error instanceof GraphQLError
    ? new GraphQLError(error.message, { ...place, extensions: error.extensions })
    : new GraphQLError(error.message, { ...place, originalError: error });
}

const notGenerated = (field: string): ServerError =>
  new ServerError(500, codes.internal, `${field} is not a generated field, so there is nothing to read.`, {
    hint: 'A resolver of your own finds its value itself; context.query runs a document of generated fields.',
  });

const overWebSocket: Outcome = {
  kind: 'refused',
  errors: [
    new GraphQLError('Subscriptions are answered over WebSocket.', {
      extensions: { code: codes.unsupported, hint: 'Connect to /graphql with the subprotocol graphql-transport-ws.' },
    }),
  ],
};
