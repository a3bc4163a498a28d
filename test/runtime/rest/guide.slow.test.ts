import { testGuide } from '../../support/guide.js';

testGuide('docs/rest.md', 15);
