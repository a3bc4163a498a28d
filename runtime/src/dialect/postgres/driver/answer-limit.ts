import { answerTooLong } from '../../answer-too-long.js';
import type { WireConnection } from './wire.js';

/** A piece of what arrives may hold the end of one answer and the beginning of the next. */
const LARGEST_PIECE = 65_536;

/**
 * Stops a read while its answer arrives, if the answer is too long, so that the server never holds
 * it in full. The connection is discarded, too, because the rest of the answer would have to be
 * read.
 */
export class AnswerLimit {
  #reading: object | undefined;
  #received = 0;
  #stopped: object | undefined;

  constructor(
    stream: WireConnection['stream'],
    private readonly most: number,
  ) {
    // Before node-postgres reads the piece, which may end one batch and begin the next.
    stream.prependListener('data', (piece: Buffer) => {
      this.#received += piece.length;
      if (this.#received <= most + LARGEST_PIECE || this.#reading === undefined) return;
      this.#stopped ??= this.#reading;
      stream.destroy();
    });
  }

  /**
   * The next batch begins. A write has no limit: it would be done all the same, or its outcome
   * would be unknown.
   */
  begin(batch: object, isRead: boolean): void {
    this.#received = 0;
    this.#reading = isRead ? batch : undefined;
  }

  /** Whether the connection was given up for the answer of one of its batches. */
  get isExceeded(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * The error of a batch: of the stopped batch, the limit; of the others, the loss of the
   * connection.
   */
  explain(batch: object, error: Error): Error {
    if (this.#stopped === undefined) return error;
    return batch === this.#stopped ? answerTooLong(this.most) : new Error('Connection terminated with another answer');
  }
}
