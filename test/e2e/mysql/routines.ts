/**
 * Procedures and functions, some of them hostile. The words for data access are advice to MariaDB:
 * it checks none of them.
 */
export const routines = `
  create table items (id int primary key, n int);
  insert into items values (1, 5), (2, 7);
  create procedure total(out sum int) reads sql data
  begin
    create temporary table doubled (n int);
    insert into doubled select n * 2 from items;
    select sum(d.n) into sum from doubled d;
    drop temporary table doubled;
  end;
  create procedure raise_all(in step int) no sql
  begin
    update items set n = n + step;
  end;
  create procedure commits(in step int) reads sql data
  begin
    start transaction;
    update items set n = n + step;
    commit;
    update items set n = n + step;
  end;
  create procedure twice(inout n int, inout big bigint unsigned, out at datetime, out state enum('open', 'in progress'))
  begin
    set n = n * 2;
    set at = '2024-02-03 04:05:06';
    set state = 'in progress';
  end;
  create procedure locks() select get_lock(concat(database(), '.lock'), 0) into @held;

  create function label(n int) returns varchar(40) deterministic no sql return concat('item ', n);
  create function times(n int, factor int) returns bigint deterministic no sql return n * factor;
  create function who_for(id bigint) returns varchar(300) no sql return concat(coalesce(@\`request.user_id\`, 'nobody'), ' ', id);
  create function \`all\`(
    small tinyint unsigned, price decimal(6, 2), state enum('open', 'in progress', 'done'), marks set('red', 'green', 'blue'),
    day date, at datetime(6), bytes varbinary(10), doc json
  ) returns varchar(500) deterministic no sql
    return concat_ws('|', small, price, state, marks, day, at, hex(bytes), doc);
  create function state(n int) returns enum('open', 'done') deterministic no sql return elt(n, 'open', 'done');
  create function state_of(state enum('open', 'done')) returns int deterministic no sql return state + 0;
  create function marks() returns set('red', 'green', 'blue') deterministic no sql return 'red,blue';
  create function bits(n int) returns set('red', 'green', 'blue') deterministic no sql return elt(n, 'red,green', 'blue');
  create function price() returns decimal(6, 2) deterministic no sql return 12.5;
  create function raw() returns varbinary(10) deterministic no sql return x'00ff';
  create function at() returns datetime(3) deterministic no sql return '2024-02-03 04:05:06.5';
  create function big() returns bigint unsigned deterministic no sql return 18446744073709551615;
  create function truth() returns tinyint(1) deterministic no sql return 1;
  create function count_items() returns int reads sql data return (select count(*) from items);
  create function counts_calls() returns int no sql begin set @calls = coalesce(@calls, 0) + 1; return @calls; end;
  create function add_item(id int, n int) returns int modifies sql data
  begin
    insert into items values (id, n);
    return id;
  end;
  create function raise_item(id int) returns int modifies sql data
  begin
    update items set n = n + 1 where items.id = id;
    return id;
  end;
  create function writes(id int) returns int
  begin
    insert into items values (id, 1);
    return id;
  end;
  create function fails() returns int no sql
  begin
    signal sqlstate '45000' set message_text = 'Not today.';
    return 1;
  end;
  create function sleeps() returns int no sql return sleep(20);
  create function who() returns varchar(255) no sql return coalesce(@\`request.user_id\`, 'nobody');
  create function spoil() returns int no sql
  begin
    set time_zone = '+05:00';
    set sql_select_limit = 1;
    set @\`request.user_id\` = 'mallory', @\`request.jwt.claims\` = '{"sub":"mallory"}';
    return 1;
  end;
  create function takes_lock() returns int no sql return get_lock(concat(database(), '.lock'), 0);
  create function takes_lock_writing() returns int modifies sql data return get_lock(concat(database(), '.lock'), 0);
`;
