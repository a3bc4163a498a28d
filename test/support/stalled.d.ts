interface Suite {
  readonly path: string;
}

/** A reporter of Jest. */
export default class Stalled {
  constructor(
    globalConfig: { readonly rootDir: string },
    options?: { readonly patience?: number; readonly end?: () => void },
  );
  onTestFileStart(suite: Suite): void;
  onTestFileResult(suite: Suite): void;
  /** Any test of any suite. */
  onTestCaseResult(): void;
  onRunComplete(): void;
}
