/** What Jest says of a suite, as far as the line needs it. */
interface Suite {
  readonly testFilePath: string;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/** @returns nothing when all tests ran */
export function describeNotRun(testResults: readonly Suite[]): string | undefined;
