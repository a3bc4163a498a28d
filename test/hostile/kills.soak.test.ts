import { testKills } from './support/kills.js';

testKills(10_000);
