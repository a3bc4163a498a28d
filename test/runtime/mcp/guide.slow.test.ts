import { testGuide } from '../../support/guide.js';

testGuide('docs/agents.md', 1, { environment: { APP_MCP: 'true' } });
