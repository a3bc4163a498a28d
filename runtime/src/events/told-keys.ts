/** The rows that were last reported to a group, up to this number. */
export class ToldKeys {
  readonly #keys = new Set<string>();

  constructor(private readonly most: number) {}

  add(id: string): void {
    this.#keys.delete(id);
    this.#keys.add(id);
    if (this.#keys.size <= this.most) return;
    const [oldest] = this.#keys;
    if (oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Forgets a row, and says whether it was remembered. */
  delete(id: string): boolean {
    return this.#keys.delete(id);
  }
}
