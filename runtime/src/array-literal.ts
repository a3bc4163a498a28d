/**
 * An array of JSON in the text form of the database, as CSV has it. In a JSON body a string is no
 * such array: it may be meant as one value.
 */
export class ArrayLiteral {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}
