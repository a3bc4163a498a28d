/**
 * A changed schema that is not served, with the reason as its message. The old API stays in use.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
