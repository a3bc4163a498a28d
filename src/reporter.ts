/** Who is told what a run is doing. The command line shows it; a library call says nothing unless asked to. */
export interface Reporter {
  /** Runs one stage of the pipeline, and may show its name and how long it took. */
  readonly stage: <T>(title: string, work: () => T | Promise<T>) => Promise<T>;
  /** Something its reader should know, although the run goes on. */
  readonly warn: (message: string, hint: string) => void;
}

/** Tells nobody. */
export const silentReporter: Reporter = {
  stage: async (_title, work) => work(),
  warn: () => undefined,
};
