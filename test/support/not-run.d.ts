/** The part of Jest's report on a suite that this module needs. */
interface Suite {
  readonly testFilePath: string;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/** @returns nothing when all tests ran */
export function describeNotRun(
  testResults: readonly Suite[],
  others?: readonly { readonly command: string; readonly count: number }[],
): string | undefined;
