/** Receives the progress of a stage. */
export type Count = (done: number, total: number) => void;

/**
 * Receives the progress of a run. The command line shows it; a library call reports nothing by
 * default.
 */
export interface Reporter {
  /** Runs one stage of the pipeline, and may show its name, how far it is and how long it took. */
  readonly stage: <T>(title: string, work: (count: Count) => T | Promise<T>) => Promise<T>;
  /** A warning: the run continues. `names`: the things that the message counts. */
  readonly warn: (message: string, hint: string, names?: readonly string[]) => void;
}

/** Reports nothing. */
export const silentReporter: Reporter = {
  stage: async (_title, work) => work(() => undefined),
  warn: () => undefined,
};
