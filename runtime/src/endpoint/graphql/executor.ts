import { GraphQLError, createSourceEventStream, execute, type DocumentNode, type GraphQLSchema } from 'graphql';
import { ServerError, codes } from '../../errors.js';
import type { Caller } from '../../execute/custom/caller.js';
import type { Services } from '../../execute/services.js';
import type { CompiledRequest } from '../../request/graphql/compile.js';
import type { Selected } from '../../request/graphql/arguments/scope.js';
import { answerGenerated } from '../../schema/custom/around-generated.js';
import { RawAnswers, type FieldTexts } from '../../response/graphql-answers.js';
import { toServerError } from '../../response/server-error.js';
import type { Context } from '../../execute/custom/context.js';
import type { FieldInfo } from '../../schema/common-types.js';
import type { Exchange } from './exchange.js';
import { partOf } from './mutation.js';
import { Reading } from './reading.js';
import { createSource, type StatementSource } from './source.js';

/** The values of a document's root fields; undefined: `data` is null. */
export interface Data {
  readonly fields: FieldTexts | undefined;
  readonly errors: readonly unknown[];
}

/** Executes documents that run the user's code, with graphql-js. */
export class Executor {
  constructor(
    private readonly services: Pick<Services, 'registry' | 'dialect'>,
    private readonly schema: GraphQLSchema,
    private readonly callerOf: (exchange: Exchange) => Caller,
  ) {}

  /**
   * Executes over a statement's data. Rejects when the statement fails.
   * @param document the document of the request, or a part of it with the same operation
   * @param event a message of a subscription of the user's code: the value of its root field
   */
  async execute(
    document: DocumentNode,
    compiled: CompiledRequest,
    reading: Reading,
    exchange: Exchange,
    event?: unknown,
  ): Promise<Data> {
    const answers = new RawAnswers();
    const source = createSource(reading, this.services.registry, answers);
    const result = await execute({
      schema: this.schema,
      document,
      operationName: compiled.operation.node.name?.value ?? null,
      variableValues: compiled.given,
      contextValue: this.contextOf(source, exchange),
      fieldResolver: source.fieldResolver,
      rootValue: event,
    });
    reading.check();
    return { fields: answers.write(result.data), errors: (result.errors ?? []).map((error) => this.explained(error)) };
  }

  /** An event of a generated subscription, from the text of its root field. */
  async executeEvent(
    selected: Selected,
    written: string,
    compiled: CompiledRequest,
    exchange: Exchange,
  ): Promise<Data> {
    const reading = Reading.of(new Map([[selected.as, written]]));
    return this.execute(partOf(compiled, [selected]), compiled, reading, exchange);
  }

  /** Begins a subscription of the user's code. Throws the error of its resolver. */
  async subscribe(selected: Selected, compiled: CompiledRequest, exchange: Exchange): Promise<AsyncIterable<unknown>> {
    const source = createSource(Reading.of(new Map()), this.services.registry, new RawAnswers());
    const stream = await createSourceEventStream({
      schema: this.schema,
      document: partOf(compiled, [selected]),
      operationName: compiled.operation.node.name?.value ?? null,
      variableValues: compiled.given,
      contextValue: this.contextOf(source, exchange),
    });
    if (Symbol.asyncIterator in stream) return stream;
    const [error] = stream.errors ?? [];
    throw error === undefined ? new TypeError('A subscription of your code gives no events.') : this.explained(error);
  }

  private contextOf(source: StatementSource, exchange: Exchange): Context {
    const answer = async <T>(info: FieldInfo): Promise<T> => {
      const value = await source.root(info);
      if (value === undefined) throw notGenerated(info.fieldName);
      return value as T;
    };
    const context: Context = { ...this.callerOf(exchange), read: answer, write: answer };
    answerGenerated(context, source.fieldResolver);
    return context;
  }

  /** Resolvers of the user's code may query the database, so their errors are explained, too. */
  private explained(error: GraphQLError): GraphQLError {
    const { message, nodes = null, source = null, positions = null, path = null, originalError, extensions } = error;
    if (originalError === undefined || originalError instanceof ServerError) return error;
    if (this.services.dialect.failure(originalError) === undefined) return error;
    const known = toServerError(originalError, this.services.dialect);
    return new GraphQLError(message, { nodes, source, positions, path, originalError: known, extensions });
  }
}

const notGenerated = (field: string): ServerError =>
  new ServerError(500, codes.internal, `${field} is not a generated field, so there is nothing to read.`, {
    hint: 'A resolver of your own finds its value itself; context.query runs a document of generated fields.',
  });
