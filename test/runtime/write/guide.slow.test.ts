import { testGuide } from '../../support/guide.js';

testGuide('docs/writes.md', 10);
