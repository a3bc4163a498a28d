/** Statements as lines of a longer text. */
export const indented = (statements: readonly string[]): readonly string[] => statements.map((each) => `  ${each}`);
