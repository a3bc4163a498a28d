import { describeMysql } from '../../support/mysql.js';
import { objectsOf, seen, sqlOf } from '../../support/findings.js';
import { openMysqlClinic } from '../../support/mysql-doctor.js';

const requestUser =
  'create function request_user_id() returns varchar(255) deterministic no sql return @`request.user_id`;';

describeMysql('the rules of the doctor on MariaDB', () => {
  const { examine, again, mend, load, account, name } = openMysqlClinic();

  describe('row-security-off', () => {
    const rule = 'row-security-off';
    const orders = `
      create table orders (id int primary key, owner varchar(40) not null, total int);
      create table colours (name varchar(20) primary key);`;
    const filtered = `${orders} ${requestUser}
      create view my_orders as select * from orders where owner = request_user_id() with check option;`;

    test('a table beside the view that filters it is an error, another one may be meant', async () => {
      expect(seen(await examine(rule, filtered))).toEqual([
        {
          severity: 'error',
          object: 'app.orders',
          message: 'Everyone reads every row of app.orders, although app.my_orders, which filters by user, reads it.',
        },
        {
          severity: 'info',
          object: 'app.colours',
          message: 'Everyone reads every row of app.colours.',
        },
      ]);
    });

    test('where others have rules, table-without-rule reports the tables and views without one', async () => {
      await examine(rule, orders);
      const options = { verification: true, ruled: ['orders'] };
      expect(objectsOf(await again(rule, options))).toEqual([]);
      expect(objectsOf(await again('table-without-rule', options))).toEqual(['app.colours']);
      expect(objectsOf(await again('table-without-rule'))).toEqual([]);
      await examine(rule, filtered);
    });

    test('a table that is left out, or that the account may not touch, is not served', async () => {
      expect(objectsOf(await again(rule, { exclude: ['orders', 'colours'] }))).toEqual([]);
      await load(
        `revoke all on \`${name()}\`.* from ${account}@'%'; grant select, insert on my_orders to ${account}@'%';`,
      );
      expect(objectsOf(await again(rule))).toEqual([]);
      await load(`grant select (name) on colours to ${account}@'%'`);
      expect(objectsOf(await again(rule))).toEqual(['app.colours']);
      await load(`revoke all, grant option from ${account}@'%'`);
    });

    test('without filters it is one finding for those who verify tokens; its SQL is a view to begin with', async () => {
      expect(await examine(rule, orders)).toEqual([]);
      const findings = await again(rule, { verification: true });
      expect(seen(findings)).toEqual([
        {
          severity: 'warning',
          object: 'app',
          message: 'Tokens are verified, but no view filters by user: app.colours and app.orders show every row.',
        },
      ]);
      await mend(findings);
      expect(seen(await again(rule, { verification: true, exclude: ['orders'] }))).toMatchObject([
        { severity: 'error', object: 'app.colours' },
      ]);
      expect(objectsOf(await again(rule, { verification: true, exclude: ['orders', 'colours'] }))).toEqual([]);
    });

    test('a view that filters through a function of a function counts, too', async () => {
      await examine(
        rule,
        `${orders} ${requestUser}
         create function my_number() returns int deterministic no sql return cast(request_user_id() as int);
         create view mine as select id from orders where id = my_number();`,
      );
      expect(seen(await again(rule))).toMatchObject([{ severity: 'error', object: 'app.orders' }, {}]);
    });
  });

  describe('view-without-check-option', () => {
    const rule = 'view-without-check-option';
    const schema = `${requestUser} create table \`Tom's orders\` (id int primary key, owner varchar(40));
      create view mine as select * from \`Tom's orders\` where owner = request_user_id()`;

    test('a filtering view without it is found, and the SQL mends it', async () => {
      const findings = await examine(rule, schema);
      expect(seen(findings)).toEqual([
        {
          severity: 'error',
          object: 'app.mine',
          message: 'app.mine filters by user and can be written, but it has no WITH CHECK OPTION.',
        },
      ]);
      await mend(findings);
      expect(await again(rule)).toEqual([]);
      await expect(load(`insert into mine values (1, 'somebody')`)).rejects.toThrow(/CHECK OPTION/);
    });

    test('views that have it, cannot be written, filter by nothing or are not served are fine', async () => {
      const findings = await examine(
        rule,
        `${schema} with local check option;
         create view counted as select count(*) as n from \`Tom's orders\` where owner = request_user_id();
         create view every_one as select * from \`Tom's orders\`;
         create view other as select * from \`Tom's orders\` where owner = request_user_id();`,
        { exclude: ['other'] },
      );
      expect(objectsOf(findings)).toEqual([]);
    });
  });

  test('filter-function-per-row: a function of the request that is not DETERMINISTIC is found and mended', async () => {
    const findings = await examine(
      'filter-function-per-row',
      `${requestUser} create function slow_user() returns varchar(255) return @\`request.user_id\`;
       create function unrelated() returns int return 1;`,
    );
    expect(objectsOf(findings)).toEqual(['app.slow_user']);
    await mend(findings);
    expect(await again('filter-function-per-row')).toEqual([]);
  });

  describe('definers', () => {
    const made = `
      create table t (id int primary key);
      create definer = ACCOUNT_other@'%' view v as select * from t;
      create definer = ACCOUNT_other@'%' procedure p() select 1;
      create definer = ACCOUNT_other@'%' function f() returns int no sql return 1;
      create definer = ACCOUNT_other@'%' procedure invoked() sql security invoker select 1;
      create definer = ACCOUNT_other@'%' trigger tr before insert on t for each row set new.id = new.id;`;

    test('definer-absent: views and routines of an account that is gone', async () => {
      const findings = await examine('definer-absent', made);
      expect(seen(findings).map(({ object, severity }) => [object, severity])).toEqual([
        ['app.f', 'error'],
        ['app.p', 'error'],
        ['app.tr', 'error'],
        ['app.v', 'error'],
      ]);
      expect(findings[3]?.message).toBe(`The view app.v runs as ${account}_other@%, and there is no such account.`);
      await mend(findings);
      expect(objectsOf(await again('definer-absent'))).toEqual(['app.f', 'app.p', 'app.tr']);
      await load(`create user ${account}_other@'%' identified by 'x'`);
      expect(await again('definer-absent')).toEqual([]);
    });

    test('definer-too-powerful: procedures and functions that clients call as an administrator', async () => {
      expect(await again('definer-too-powerful', { verification: true })).toEqual([]);
      await load(`grant super on *.* to ${account}_other@'%'`);
      expect(await again('definer-too-powerful')).toEqual([]);
      const findings = await again('definer-too-powerful', { verification: true });
      expect(seen(findings)).toEqual([
        {
          severity: 'warning',
          object: 'app.p',
          message: `The procedure app.p runs as ${account}_other@%, who may do anything.`,
        },
      ]);
      const named = await again('definer-too-powerful', { verification: true, exclude: ['p'], functions: ['f'] });
      expect(named.map(({ message }) => message)).toEqual([
        `The function app.f runs as ${account}_other@%, who may do anything.`,
      ]);
      await load(`drop user ${account}_other@'%'`);
    });
  });

  test('role-too-powerful: an account that may more than read and write', async () => {
    const rule = 'role-too-powerful';
    const routines = `create procedure p() select 1; create procedure left_out() select 1;
      create function f() returns int no sql return 1; create function g() returns int no sql return 1;`;
    expect(await examine(rule, `create table t (id int primary key); ${routines}`)).toEqual([]);
    await load(`grant drop, create view on \`${name()}\`.* to ${account}@'%' with grant option`);
    const findings = await again(rule);
    expect(seen(findings)).toEqual([
      { severity: 'warning', object: `${account}@%`, message: `${account}@% has GRANT OPTION, DROP and CREATE VIEW.` },
    ]);
    expect(sqlOf(findings)).toContain("grant select, insert, update, delete on `app`.`t` to 'tablewright_server'@'%';");
    const grants = sqlOf(await again(rule, { exclude: ['left_out'], functions: ['f'] }));
    expect(JSON.stringify(grants).match(/execute on \w+ `app`.`\w+`/g)).toEqual([
      'execute on function `app`.`f`',
      'execute on procedure `app`.`p`',
    ]);
    await load(`revoke all, grant option from ${account}@'%'`);
    expect(await again(rule)).toEqual([]);
    expect(seen(await again(rule, { account: 'root' }))[0]?.message).toMatch(
      / has SUPER, FILE, CREATE USER and \d+ more/,
    );
  });

  test('an account that is not there, or has no such name, is an error', async () => {
    await expect(again('role-too-powerful', { account: 'nobody_here' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('duplicate-index: equal indexes are found, the key stays, and the SQL mends it', async () => {
    const findings = await examine(
      'duplicate-index',
      `create table notes (id int primary key, a int, b varchar(40), unique also_unique (id), key plain (id),
         key b_1 (b), key b_2 (b), key b_first (b(5)), key b_a (b, a), key b_down (b desc), fulltext words (b));`,
    );
    expect(seen(findings)).toEqual([
      {
        severity: 'warning',
        object: 'app.notes.also_unique',
        message: 'The index also_unique duplicates PRIMARY, on app.notes.',
      },
      { severity: 'warning', object: 'app.notes.b_2', message: 'The index b_2 duplicates b_1, on app.notes.' },
      {
        severity: 'warning',
        object: 'app.notes.plain',
        message: 'The index plain duplicates PRIMARY, on app.notes.',
      },
    ]);
    await mend(findings);
    expect(await again('duplicate-index')).toEqual([]);
  });

  test('table-without-key: with and without columns that could be one', async () => {
    const findings = await examine(
      'table-without-key',
      `create table none_at_all (line text); create table could (a int not null, unique (a));
       create table keyed (id int primary key); create view v as select * from none_at_all;`,
    );
    expect(seen(findings).map(({ object, severity }) => [object, severity])).toEqual([
      ['app.none_at_all', 'warning'],
      ['app.could', 'info'],
    ]);
    await mend(findings);
    expect(await again('table-without-key')).toEqual([]);
  });

  test('table-without-transactions: every engine that keeps writes, until it is changed', async () => {
    const findings = await examine(
      'table-without-transactions',
      `create table plain (id int primary key); create table old (id int primary key) engine = MyISAM;
       create table crash_safe (id int primary key) engine = Aria transactional = 1;
       create table parts (id int primary key) engine = MyISAM partition by hash (id) partitions 2;
       create table quick (id int primary key) engine = MEMORY; create view v as select * from old;`,
    );
    expect(objectsOf(findings).toSorted()).toEqual(['app.crash_safe', 'app.old', 'app.parts', 'app.quick']);
    await mend(findings);
    expect(await again('table-without-transactions')).toEqual([]);
  });

  test('integer-key-near-end: the column and those that reference it become wider', async () => {
    const findings = await examine(
      'integer-key-near-end',
      `create table nearly (id tinyint unsigned auto_increment primary key comment 'It''s it') auto_increment = 240;
       create table child (id int auto_increment primary key, nearly tinyint unsigned not null,
         foreign key (nearly) references nearly (id)) auto_increment = 1700000000;
       create table young (id smallint auto_increment primary key) auto_increment = 100;`,
    );
    expect(seen(findings)).toEqual([
      {
        severity: 'error',
        object: 'app.nearly.id',
        message: 'app.nearly.id has reached 239, 93 % of the range of tinyint(3) unsigned.',
      },
      {
        severity: 'warning',
        object: 'app.child.id',
        message: 'app.child.id has reached 1699999999, 79 % of the range of int(11).',
      },
    ]);
    await mend(findings);
    expect(await again('integer-key-near-end')).toEqual([]);
    await load(`insert into nearly values (1000); insert into child (nearly) values (1000)`);
    await expect(load('insert into child (nearly) values (77)')).rejects.toThrow(/foreign key/);
  });
});
