import type { Extension } from '../../server/extension.js';
import { createRates } from './rates.js';
import type { createRateStore } from './store.js';

/** For processes that count together. */
export { policiesOf, type Policy } from './policy.js';
export { createRateStore, type RateStore, type Taken } from './store.js';

/**
 * How much a sender may ask for: `app.limits.rates`.
 * @param openStore of a process that counts with others. Default: this one counts alone
 */
export const ratesWith = (openStore?: typeof createRateStore): Extension => ({
  name: 'rates',
  exposedHeaders: ['RateLimit', 'RateLimit-Policy'],
  open: async ({ settings, observe }) => {
    const { close, ...admission } = await createRates(settings, observe, openStore);
    return {
      admission: () => admission,
      close: () => {
        close();
        return Promise.resolve();
      },
    };
  },
});
