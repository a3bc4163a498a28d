import { createMysqlDriver } from '../../../runtime/src/dialect/mysql/driver/create.js';
import { explain } from '../../../runtime/src/dialect/mysql/live/explain.js';
import { createMysqlDatabase, describeMysql, loadMysql } from '../../support/mysql.js';
import { settingsWith } from '../../support/settings.js';

describeMysql('the plan of a slow statement', () => {
  test('names tables and keys, and no value; a write is planned and not run', async () => {
    const database = await createMysqlDatabase('explain');
    const driver = createMysqlDriver(database.url, settingsWith({}));
    try {
      await loadMysql(database.url, 'create table notes (id int primary key, body text)');
      const read = { text: 'select body from notes where id = ? and body <> ?', values: ['1', 'secret'] };
      const write = { text: 'insert into notes values (?, ?)', values: ['1', 'secret'] };
      const plans = [await explain(driver, read, {}), await explain(driver, write, {})];
      expect(plans[0]?.join('\n')).toMatch(/PRIMARY|notes|impossible|SIMPLE/i);
      expect(JSON.stringify(plans)).not.toMatch(/secret/);
      expect(await driver.run([{ text: 'select count(*) from notes', values: [] }])).toEqual([['0']]);
    } finally {
      await driver.close();
      await database.drop();
    }
  });
});
