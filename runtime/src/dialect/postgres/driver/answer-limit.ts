import { answerTooLong } from '../../answer-too-long.js';
import type { WireConnection } from './wire.js';

/** One piece of received data may hold the end of one answer and the beginning of the next. */
const MAX_PIECE_BYTES = 65_536;

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
    // Runs before node-postgres reads the piece, which may end one batch and begin the next.
    stream.prependListener('data', (piece: Buffer) => {
      this.#received += piece.length;
      if (this.#received <= most + MAX_PIECE_BYTES || this.#reading === undefined) return;
      this.#stopped ??= this.#reading;
      stream.destroy();
    });
  }

  /** A batch begins. Writes have no limit: stopping one would leave its outcome unknown. */
  begin(batch: object, isRead: boolean): void {
    this.#received = 0;
    this.#reading = isRead ? batch : undefined;
  }

  /** A batch has ended. Its rows are released now and not when the next batch begins. */
  end(): void {
    this.#reading = undefined;
  }

  /** Whether the connection was discarded because of the answer of one of its batches. */
  get isExceeded(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * The error of a batch: the limit for the batch that was stopped, the lost connection for the
   * others.
   */
  explain(batch: object, error: Error): Error {
    if (this.#stopped === undefined) return error;
    return batch === this.#stopped ? answerTooLong(this.most) : new Error('Connection terminated with another answer');
  }
}
