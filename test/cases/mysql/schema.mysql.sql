-- One of each type that MariaDB has, keys of every kind, views, routines.
create table customers (
  id int auto_increment primary key,
  public_id uuid not null default uuid(),
  email varchar(120) not null comment 'Where invoices go.',
  rank tinyint unsigned not null default 0,
  active tinyint(1) not null default 1,
  channels set('mail', 'phone', 'post-office') not null default 'mail',
  profile json,
  unique by_email (email) comment 'This address has an account already.',
  unique by_public_id (public_id)
) comment 'People who buy.';

create table orders (
  id bigint unsigned auto_increment primary key,
  customer_id int not null,
  status enum('new', 'paid', 'in transit', 'done') not null default 'new',
  total decimal(12, 2) not null default 0,
  doubled decimal(13, 2) as (total * 2) stored,
  weight double,
  number int(6) unsigned zerofill,
  placed_on date not null,
  placed_at datetime(6) not null default current_timestamp(6),
  changed_at timestamp(3) null on update current_timestamp(3),
  opening time,
  season year,
  digest binary(16),
  invoice mediumblob,
  marks bit(4),
  place point,
  origin inet6,
  note text,
  constraint orders_customer foreign key (customer_id) references customers (id) on delete cascade
);

create table labels (id int primary key, name varchar(40) character set latin1 not null unique);

create table order_labels (
  order_id bigint unsigned not null,
  label_id int not null,
  primary key (order_id, label_id),
  foreign key (order_id) references orders (id),
  foreign key (label_id) references labels (id)
);

create table customer_notes (
  customer_id int primary key,
  text longtext,
  summary varchar(200),
  fulltext index of_text (text),
  fulltext index of_both (summary, text),
  constraint note_of foreign key (customer_id) references customers (id)
);

create view open_orders as select id, customer_id, total from orders where status <> 'done' with check option;
create view notes as select customer_id, text as body from customer_notes;
create view totals as select customer_id, sum(total) as total from orders group by customer_id;

create procedure place_order(in who int, in what json, inout price decimal(12, 2), out id bigint unsigned)
  comment 'Places an order.'
  begin
    insert into orders (customer_id, total, placed_on) values (who, price, current_date);
    set id = last_insert_id();
  end;
create function double_price(price decimal(12, 2)) returns decimal(13, 2) deterministic no sql return price * 2;
