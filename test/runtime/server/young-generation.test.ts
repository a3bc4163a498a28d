import { execFileSync } from 'node:child_process';
import { growthFlag } from '../../../templates/runtime/server/young-generation.js';

test('the flag is one that this Node.js knows: of any other it would print that it does not', () => {
  const [name = ''] = growthFlag.split('=');
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain(`${name} (`);
});
