import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that code finds which is called, directly or later, by the code that was given it. An
 * AsyncLocalStorage slows every promise of the process, so it is switched off while none is given.
 */
export class AsyncScope<T> {
  readonly #storage = new AsyncLocalStorage<T>();
  #running = 0;

  get current(): T | undefined {
    return this.#running === 0 ? undefined : this.#storage.getStore();
  }

  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    this.#running += 1;
    try {
      return await this.#storage.run(value, work);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#storage.disable();
    }
  }
}
