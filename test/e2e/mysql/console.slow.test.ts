import { describeInBrowser, openPage } from '../../support/browser.js';
import { describeMariadb } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

const schema = `
create table makers (id int auto_increment primary key, name varchar(40) not null unique);
create table tools (
  id int auto_increment primary key,
  name varchar(60) not null unique,
  kind enum('hand', 'power') not null default 'hand',
  sharp boolean not null default true,
  price decimal(20, 2) null check (price >= 0),
  checked_at datetime null,
  details json null,
  maker_id int null,
  constraint tools_maker foreign key (maker_id) references makers (id)
);
insert into makers (name) values ('Forge'), ('Mill');
insert into tools (name, maker_id) values ('Plane', 1), ('Saw', null);
`;

describeMariadb('the console on MariaDB', () => {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql({}, '', schema);
  });
  afterAll(() => served.stop());

  describeInBrowser('in a browser', (browser) => {
    test('a row is opened, every kind of value is changed, and a mistake is told at its field', async () => {
      const { page } = await openPage(browser(), served.base);
      await page.goto(`${served.base}/#/table/${served.prefix}Tools/rows`);
      await page.getByRole('button', { name: 'Open row 2' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel(/^kind/).selectOption('power');
      await form.getByLabel(/^sharp/).selectOption('false');
      await form.getByLabel(/^price/).fill('123456789012345678.90');
      await form.getByLabel(/^checked_at/).fill('2026-02-03T04:05:06');
      await form.getByLabel(/^details/).fill('{"teeth": 32}');
      await form.getByRole('combobox', { name: 'maker_id' }).fill('mil');
      await form.getByRole('option', { name: '2 Mill' }).click();
      await form.getByLabel(/^name/).fill('Plane');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.locator('.field', { hasText: 'name' }).getByText('A row with this key exists already.').waitFor();
      await form.getByLabel(/^name/).fill('Table saw');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The row is saved.').waitFor();
      const cells = page.locator('.rows tbody tr').nth(1).locator('[role=gridcell]');
      expect((await cells.allTextContents()).slice(0, 7)).toEqual([
        '2',
        'Table saw',
        'power',
        'false',
        '123456789012345678.90',
        '2026-02-03T04:05:06',
        '{"teeth":32}',
      ]);
      await page.close();
    });
  });
});
