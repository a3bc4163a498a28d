import { testGuide } from '../../support/guide.js';

testGuide('docs/agents.md', 2, { environment: { APP_MCP: 'true' } });
