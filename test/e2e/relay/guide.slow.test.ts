import { testGuide } from '../../support/guide.js';

testGuide('docs/relay.md', 2, { config: { schemas: ['kanban', 'shop'], relay: {} } });
