import { testGuide } from '../../support/guide.js';

testGuide('docs/postgrest.md', 6, {
  environment: { APP_REST_POSTGREST: '/rest/v1', APP_REST_PLAN_ENABLED: 'true' },
});
