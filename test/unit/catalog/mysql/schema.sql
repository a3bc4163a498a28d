create table users (
  id int auto_increment primary key comment 'Surrogate key.',
  email varchar(120) not null,
  name varchar(40) default 'it''s' collate utf8mb4_bin,
  role enum('ad''min', 'x,y', 'back\\slash', '') not null default 'x,y',
  flags set('a', 'b') not null default '',
  key by_beginning (name (5)),
  unique begins_once (email (10), id),
  unique by_email (email) comment 'This address is taken.'
) comment 'People.';

create table documents (
  user_id int not null,
  number int unsigned not null,
  body longtext check (json_valid(body)),
  settings json not null default '{}',
  plain longtext check (plain <> ''),
  big bigint(20) unsigned,
  small tinyint(1) not null default 1,
  filled int(5) zerofill,
  price decimal(10, 2) default (1 + 1),
  ratio double,
  born date,
  at time(3),
  made datetime(6) not null default current_timestamp(6) on update current_timestamp(6),
  seen timestamp null,
  in_year year,
  public_id uuid default uuid(),
  hash binary(16),
  bits bit(3),
  place point,
  address inet6,
  doubled int as (number * 2) stored,
  tripled int as (number * 3) virtual,
  hidden int invisible default 3,
  primary key (user_id, number),
  unique `odd ``name` (born, at),
  constraint positive check (price > 0),
  constraint owner foreign key (user_id) references users (id) on update cascade on delete restrict
);

create table `select` (`a.b` int primary key, ```tick` varchar(10) character set latin1, `ü` json);

create view members as select id, email as address, length(email) as size from users where role <> 'x,y';
create view plain_members as select id, email, role from users where id in (select user_id from documents);
create view nested as select id, email from plain_members;
create view joined as select u.id, d.number from users u join documents d on d.user_id = u.id;
create view over_joined as select id from joined;
create sql security invoker view counted as select count(*) as n from users;
create view shown_once as select body as held, plain from documents;
create view shown_documents as select s.held as content, s.plain from shown_once s;
create sequence numbers;
create table history (a int) with system versioning;

create procedure rename_user(in who int, inout new_name varchar(40), out kind enum('one', 'two'), out digits decimal(12, 3))
  comment 'Gives a user another name.'
  begin
    update users set name = new_name where id = who;
    set digits = 1.5;
  end;
create function initials(full varchar(100)) returns varchar(10) deterministic no sql return left(full, 1);
create function counted_users() returns int reads sql data return (select count(*) from users);
create function touch() returns int begin update users set name = name; return 1; end;
