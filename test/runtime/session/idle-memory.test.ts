import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMysqlDriver } from '../../../runtime/src/dialect/mysql/driver/create.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { createMysqlDatabase, describeMysql } from '../../support/mysql.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { settingsWith } from '../../support/settings.js';
import { until } from '../../support/until.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Answers that clients have received are not kept by the connections that they came on. */
async function isCollected(database: TestDatabase, driver: Driver, write: boolean): Promise<void> {
  try {
    const ask = async (): Promise<WeakRef<object>> => {
      const text = "select repeat('x', 1000000)";
      const rows = await driver.run([{ text, values: [] }], write ? { write } : {});
      return new WeakRef(rows);
    };
    const answers = await Promise.all([ask(), ask()]);
    await until(() => {
      collect();
      return Promise.resolve(answers.every((answer) => answer.deref() === undefined));
    });
  } finally {
    await driver.close();
    await database.drop();
  }
}

test.each([false, true])('PostgreSQL, write: %s', async (write) => {
  const database = await createTestDatabase('idle_memory');
  await isCollected(database, createDriver(settingsWith({ 'app.datasource.url': database.url })), write);
});

describeMysql('MariaDB', () => {
  test.each([false, true])('write: %s', async (write) => {
    const database = await createMysqlDatabase('idle_memory');
    await isCollected(database, createMysqlDriver(database.url, settingsWith({})), write);
  });
});
