/**
 * A number of a request that JavaScript's numbers can not hold: its text, as the client wrote it. Only what is lossy is
 * kept so; every other number is a plain one.
 */
export class ExactNumber {
  constructor(readonly text: string) {}

  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/**
 * The text of a number with all its digits, or undefined for what is not a number (NaN and the infinities are not: JSON
 * has none).
 */
export function exactText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** A JSON number's text, as a number where that loses nothing. JavaScript keeps 15 significant digits in any case. */
export function exactNumber(text: string): number | ExactNumber {
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  return digits.length <= 15 && Number.isFinite(Number(text)) ? Number(text) : new ExactNumber(text);
}
