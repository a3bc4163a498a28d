export interface RunSuite {
  /** Its path from the root. */
  readonly suite: string;
  readonly isBroken: boolean;
  readonly tests: readonly { readonly name: string; readonly status: string }[];
}

export function summaryOf(outcome: {
  readonly flavour: string;
  readonly version: string;
  readonly suites: readonly RunSuite[];
  readonly notRun: ReadonlyMap<string, string>;
  readonly patterns?: readonly string[];
}): string;
