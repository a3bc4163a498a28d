export declare class UsageError extends Error {}

export interface TestArguments {
  readonly config: string;
  readonly changed?: string;
  readonly others: readonly string[];
}

export declare function parseArguments(args: readonly string[]): TestArguments;
