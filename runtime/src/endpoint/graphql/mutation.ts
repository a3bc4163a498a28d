import { GraphQLError, Kind, type DocumentNode } from 'graphql';
import { boundsOf } from '../../descriptor/cache-bounds.js';
import type { CompiledRequest } from '../../request/graphql/compile.js';
import type { MutationStep } from '../../request/graphql/mutation/mutation.js';
import { located, type Selected } from '../../request/graphql/arguments/scope.js';
import { joined } from '../../joined.js';
import { toServerError } from '../../response/server-error.js';
import {
  failedWith,
  refusalOf,
  withRowFilter,
  type Exchange,
  type Executed,
  type FilteredExchange,
  type Outcome,
} from './exchange.js';
import { Reading } from './reading.js';
import { keptFor } from '../../execute/kept-for.js';
import type { Services } from '../../execute/services.js';
import { callText, runMutation, type PreparedMutation } from '../../execute/mutation.js';
import type { Transaction } from '../../execute/transaction.js';
import { WriteRunner, type PreparedWrite } from '../../execute/write-runner.js';
import { BoundedCache } from '../../bounded-cache.js';

/** Has graphql-js execute a document of the request's operation. */
type Execute = (
  document: DocumentNode,
  compiled: CompiledRequest,
  written: Reading,
  exchange: Exchange,
) => Promise<Executed>;

type Step =
  | Exclude<MutationStep, { readonly kind: 'write' }>
  | {
      readonly kind: 'write';
      readonly selected: Selected;
      readonly whole: boolean;
      readonly around: boolean;
      readonly prepared: PreparedWrite;
      readonly key: string | undefined;
    };

type WriteStep = Extract<Step, { readonly kind: 'write' }>;

type GeneratedStep = Extract<Step, { readonly kind: 'write' | 'nothing' }>;

type InTransaction = FilteredExchange & { readonly transaction: Transaction };

/**
 * Answers mutations: the fields in their order, in one transaction, all or nothing; an error names
 * its field and leaves `data` null. Planned once per shape. Where every field is generated, the
 * database's text is the answer and graphql-js executes nothing. Source: decision 005.
 */
export class MutationEngine {
  private readonly runner: WriteRunner;
  private readonly prepared: BoundedCache<readonly Step[]>;

  constructor(
    private readonly services: Services,
    private readonly execute: Execute,
  ) {
    this.runner = new WriteRunner(services);
    this.prepared = new BoundedCache({
      ...boundsOf(services.registry, 1000, 8000),
      sizeCalculation: (steps, shape) => 4000 * steps.length + shape.length + 1,
    });
  }

  /** Never rejects with an error that a client may see: the outcome has it. */
  async answer(compiled: CompiledRequest, asked: Exchange): Promise<Outcome> {
    let steps: readonly Step[];
    const exchange = withRowFilter(asked, this.services);
    try {
      steps = this.stepsOf(compiled, exchange);
    } catch (error) {
      if (error instanceof GraphQLError) return refusalOf(error) ?? failedWith(error);
      throw error;
    }
    exchange.mark?.('plan');
    const untargeted = steps.filter((step) => step.kind === 'untargeted');
    const [first] = untargeted;
    if (first !== undefined) {
      const data = steps.length === 1 ? `{${member(first.selected, 'null')}}` : 'null';
      return { kind: 'answered', data, errors: untargeted.map(({ error }) => error) };
    }
    const outcome = await this.run(steps, compiled, exchange);
    exchange.mark?.('database');
    return outcome;
  }

  private stepsOf(compiled: CompiledRequest, { rowFilter }: FilteredExchange): readonly Step[] {
    return keptFor(this.prepared, compiled.shape, rowFilter, () =>
      compiled.buildMutation().map((step): Step => {
        if (step.kind !== 'write') return step;
        const { selected, write, whole, around, key } = step;
        return {
          kind: 'write',
          selected,
          whole,
          around,
          key,
          prepared: located(selected, () => this.runner.prepare(write, rowFilter)),
        };
      }),
    );
  }

  private async run(steps: readonly Step[], compiled: CompiledRequest, exchange: FilteredExchange): Promise<Outcome> {
    if (steps.every(({ kind }) => kind === 'custom' || kind === 'typename') && steps.some(isCustom)) {
      return this.execute(compiled.operation.document, compiled, nothingWritten, exchange);
    }
    const fields = steps.flatMap(fieldOf);
    if (exchange.transaction === undefined && fields.length === steps.length) {
      return this.runAtOnce(steps, fields, compiled, exchange);
    }
    return this.runInTurn(steps, compiled, exchange);
  }

  /** Everything is known before: one statement where that is enough, one transaction otherwise. */
  private async runAtOnce(
    steps: readonly Step[],
    fields: PreparedMutation['fields'],
    { inputs }: CompiledRequest,
    { identity, options, rowFilter }: FilteredExchange,
  ): Promise<Outcome> {
    const outcome = await runMutation(this.runner, { fields }, { inputs, rowFilter }, identity, options);
    if (outcome.kind === 'written') return { kind: 'answered', data: outcome.data, errors: [] };
    const [as] = outcome.path;
    return failed(steps.find(({ selected }) => selected.as === as)?.selected, outcome.error);
  }

  /** The user's code takes part in the answer: its errors roll back writes, too. */
  private async runInTurn(
    steps: readonly Step[],
    compiled: CompiledRequest,
    exchange: FilteredExchange,
  ): Promise<Outcome> {
    const { identity, options, rowFilter } = exchange;
    const { inputs } = compiled;
    const writes = steps.flatMap((step) =>
      step.kind === 'write' ? [{ prepared: step.prepared, inputs, rowFilter }] : [],
    );
    const work = async (transaction: Transaction): Promise<string> => {
      const members: string[] = [];
      for (const step of steps) members.push(await this.runStep(step, compiled, { ...exchange, transaction }));
      return `{${members.join()}}`;
    };
    try {
      this.runner.assertUndone(writes, writes.length === 1 && !steps.some(isCustom));
      const data =
        exchange.transaction === undefined
          ? await this.runner.inTransaction(identity, options, work)
          : await work(exchange.transaction);
      return { kind: 'answered', data, errors: [] };
    } catch (error) {
      exchange.transaction?.abandon(error instanceof StepFailure ? error.errors[0] : error);
      return error instanceof StepFailure
        ? { kind: 'answered', data: 'null', errors: error.errors }
        : failed(undefined, error);
    }
  }

  private async runStep(step: Step, compiled: CompiledRequest, exchange: InTransaction): Promise<string> {
    const { selected } = step;
    switch (step.kind) {
      case 'typename':
        return member(selected, JSON.stringify(step.type));
      case 'untargeted':
        throw new StepFailure([step.error]);
      case 'custom':
        return this.executeField(selected, nothingWritten, compiled, exchange);
      case 'nothing':
      case 'write':
        return this.runGenerated(step, compiled, exchange);
    }
  }

  /** If the user's code is around the field, the write runs when this code asks for it. */
  private async runGenerated(step: GeneratedStep, compiled: CompiledRequest, exchange: InTransaction): Promise<string> {
    const { selected, around } = step;
    const key = (step.kind === 'write' ? step.key : undefined) ?? selected.as;
    const write = async (): Promise<string> => (step.kind === 'write' ? this.writeIn(step, compiled, exchange) : '[]');
    if (around) {
      const writing = new Reading(async () => new Map([[key, await write()]]));
      return this.executeField(selected, writing, compiled, exchange);
    }
    const text = await write();
    if (step.kind === 'nothing' || step.whole) return member(selected, text);
    return this.executeField(selected, Reading.of(new Map([[key, text]])), compiled, exchange);
  }

  private async executeField(
    selected: Selected,
    written: Reading,
    compiled: CompiledRequest,
    exchange: Exchange,
  ): Promise<string> {
    const { data: answered, errors } = await this.execute(partOf(compiled, [selected]), compiled, written, exchange);
    if (errors.length > 0) throw new StepFailure(errors);
    return joined(answered).toString().slice(1, -1);
  }

  private async writeIn(
    step: WriteStep,
    { inputs }: CompiledRequest,
    { transaction, rowFilter }: InTransaction,
  ): Promise<string> {
    try {
      const { prepared } = step;
      const { text } = await this.runner.write({ prepared, inputs, rowFilter }, transaction);
      return callText(prepared, text);
    } catch (error) {
      throw new StepFailure([inField(step.selected, error)]);
    }
  }
}

/** What stopped a mutation. The fields after it were not begun. */
class StepFailure extends Error {
  override readonly name = 'StepFailure';

  constructor(readonly errors: readonly unknown[]) {
    super('a field of a mutation failed');
  }
}

const nothingWritten = Reading.of(new Map());

const isCustom = ({ kind }: Step): boolean => kind === 'custom';

const member = ({ as }: Selected, text: string): string => `${JSON.stringify(as)}:${text}`;

/** What needs nothing but the database. */
function fieldOf(step: Step): PreparedMutation['fields'] {
  const { as } = step.selected;
  if (step.kind === 'typename') return [{ kind: 'typename', as, type: step.type }];
  return step.kind === 'write' && step.whole ? [{ kind: 'write', as, prepared: step.prepared }] : [];
}

const failed = (selected: Selected | undefined, error: unknown): Outcome => ({
  kind: 'answered',
  data: 'null',
  errors: [selected === undefined ? toServerError(error) : inField(selected, error)],
});

function inField({ as, nodes }: Selected, error: unknown): GraphQLError {
  const shown = toServerError(error);
  return new GraphQLError(shown.message, { nodes, path: [as], originalError: shown });
}

/** The request's operation with some of its root fields alone. */
export function partOf({ operation }: CompiledRequest, fields: readonly Selected[]): DocumentNode {
  const selections = fields.flatMap(({ nodes }) => nodes);
  const node = { ...operation.node, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
  return { kind: Kind.DOCUMENT, definitions: [node, ...operation.fragments.values()] };
}
