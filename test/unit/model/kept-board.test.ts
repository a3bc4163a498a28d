import { writeFile } from 'node:fs/promises';
import prettier from 'prettier';
import { describeCase } from '../../support/describe-database.js';
import { caseText, parseModel, printModel } from '../../support/described.js';

test('the kept model of the board is the model of its catalogue', async () => {
  const { model } = describeCase('board');
  if (process.env['UPDATE_CASES'] === '1') {
    const text = await prettier.format(printModel(model), { parser: 'json', printWidth: 120 });
    await writeFile(new URL('../../cases/board/model.json', import.meta.url), text);
  }
  expect(parseModel(caseText('board', 'model.json'))).toEqual(model);
});
