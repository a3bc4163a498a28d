export declare function codeLines(text: string, path: string): readonly number[];
export declare function describeLines(lines: readonly number[]): string;
