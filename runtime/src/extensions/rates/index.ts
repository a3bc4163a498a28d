import type { Extension } from '../../server/extension.js';
import { createRates } from '../../rates/rates.js';
import type { createRateStore } from '../../rates/store.js';

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
      services: { admission },
      close: () => {
        close();
        return Promise.resolve();
      },
    };
  },
});
