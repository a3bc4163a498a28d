import { describeClients } from '../../support/client-packages.js';
import { compileSupabase, type SupabaseProgram } from '../../support/supabase.js';
import { answers as expected } from './answers.js';
import { serveOrchestra, type Served } from './served.js';

/** Runs the data calls of the reference of supabase-js with a generated server as its URL. */
describeClients('supabase-js', () => {
  let served: Served;
  let program: SupabaseProgram;
  let answers: Awaited<ReturnType<SupabaseProgram['call']>>;

  beforeAll(async () => {
    served = await serveOrchestra({}, { APP_REST_PLAN_ENABLED: 'true' });
    program = await compileSupabase();
    answers = await program.call(served.base, 'calls');
  });

  afterAll(async () => {
    await served.stop();
    await program.remove();
  });

  test('makes every call', () => {
    expect(Object.keys(answers)).toEqual(Object.keys(expected));
  });

  test.each(Object.keys(expected))('%s', (name) => {
    expect(answers[name]).toEqual(expected[name]);
  });

  test('nothing is left for an operator to look at', () => {
    expect(served.log()).toBe('');
  });
});
