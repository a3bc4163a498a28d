import { testKills } from './support/kills.js';

/** Some 100 kills: about 40 requests fail. `kills.soak.test.ts` sends 10,000 requests. */
testKills(600);
