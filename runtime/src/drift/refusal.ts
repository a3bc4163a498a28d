/**
 * Why a changed schema is not served. The message names what stands in the way; the old API goes
 * on.
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
