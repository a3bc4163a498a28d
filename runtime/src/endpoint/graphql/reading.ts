import type { FieldTexts } from '../../response/graphql-answers.js';

/**
 * The statement's answer for generated root fields. The statement runs when a resolver first asks
 * for the answer; the user's code may never ask.
 */
export class Reading {
  private answer: Promise<FieldTexts> | undefined;
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly run: () => Promise<FieldTexts>) {}

  /** Of data that is there already. */
  static of(fields: FieldTexts): Reading {
    return new Reading(() => Promise.resolve(fields));
  }

  readonly fields = (): Promise<FieldTexts> => (this.answer ??= this.start());

  /**
   * Throws the error of the statement: that is the document's error, and not one of each
   * field that waited for it.
   */
  check(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  private async start(): Promise<FieldTexts> {
    try {
      return await this.run();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}
