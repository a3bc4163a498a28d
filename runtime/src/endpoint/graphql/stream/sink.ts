/* What an operation and the connection that began it know of each other. */

/**
 * Where the results of an operation go. Nothing is called after `failed` or `complete`, or once it
 * is cancelled.
 */
export interface OperationSink {
  /**
   * @param isEvent of a subscription; otherwise it is the one answer of a request
   * @param sent called when the connection has taken an event, or is over
   */
  readonly next: (payload: string, isEvent: boolean, sent?: () => void) => void;
  readonly failed: (errors: readonly unknown[]) => void;
  readonly complete: () => void;
}

export interface Operation {
  /** A subscription is ended, the statement of a request is cancelled. */
  readonly cancel: () => void;
}
