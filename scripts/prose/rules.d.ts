export interface Problem {
  readonly words: string;
  readonly advice: string;
}

/** The phrases of the list in a text without its code. */
export function phrasesIn(text: string): readonly Problem[];

/** The same, and the sentences that are too long. */
export function problemsOf(text: string): readonly Problem[];
