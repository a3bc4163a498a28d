-- The demo database for MariaDB 10.11 or later: the kanban board and the shop, in one database. It
-- has the tables of ../schema.sql, with MariaDB's replacements for arrays, composites, ranges and
-- domains, and with views in place of policies. The script creates everything in the selected
-- database. Load order: schema.sql, seed.sql.

create table users (
  id int auto_increment primary key,
  public_id uuid not null default uuid() unique comment 'Stable identifier for other systems.',
  handle varchar(40) not null unique comment 'Short name, as in @ada.' check (handle regexp '^[a-z][a-z0-9_]*$'),
  name varchar(200) not null,
  time_zone varchar(60) not null default 'UTC',
  active tinyint(1) not null default 1,
  created_at timestamp(6) not null default current_timestamp(6)
) comment 'People who report, take and discuss issues.';

create table projects (
  id int auto_increment primary key,
  `key` varchar(8) not null unique comment 'Prefix of the references of its issues, as in WEB-12.',
  name varchar(200) not null,
  description text,
  visibility enum('public', 'private') not null default 'private',
  owner_id int not null,
  settings json not null default '{}',
  created_at timestamp(6) not null default current_timestamp(6),
  archived_at timestamp(6) null,
  foreign key (owner_id) references users (id)
) comment 'A project has one board.';

create table project_members (
  project_id int not null,
  user_id int not null,
  role enum('viewer', 'editor', 'owner') not null default 'viewer',
  joined_on date not null default curdate(),
  primary key (project_id, user_id),
  foreign key (project_id) references projects (id) on delete cascade,
  foreign key (user_id) references users (id) on delete cascade
) comment 'Who belongs to which project, and what they may do there.';

create table issues (
  id int auto_increment primary key,
  project_id int not null,
  number int not null comment 'Counts within the project: the 12 of WEB-12.' check (number > 0),
  title varchar(400) not null check (title <> ''),
  description text,
  status enum('backlog', 'todo', 'in_progress', 'in_review', 'done') not null default 'backlog',
  priority enum('low', 'medium', 'high', 'urgent') not null default 'medium',
  labels json not null default '[]' comment 'Free tags, a list. The curated ones are in labels.',
  metadata json not null default '{}' comment 'What the reporter''s client sent along: browser, version, customer.',
  story_points smallint comment 'Estimated effort; null until somebody has estimated it.'
    check (story_points between 0 and 100),
  reporter_id int not null,
  assignee_id int,
  parent_id int,
  due_on date,
  created_at timestamp(6) not null default current_timestamp(6),
  updated_at timestamp(6) not null default current_timestamp(6) on update current_timestamp(6),
  unique (project_id, number),
  index (project_id, status),
  foreign key (project_id) references projects (id) on delete cascade,
  foreign key (reporter_id) references users (id),
  foreign key (assignee_id) references users (id) on delete set null,
  foreign key (parent_id) references issues (id) on delete set null
) comment 'Work items on a board.';

create table comments (
  id bigint auto_increment primary key,
  issue_id int not null,
  author_id int not null,
  body text not null check (body <> ''),
  created_at timestamp(6) not null default current_timestamp(6),
  edited_at timestamp(6) null,
  index (issue_id, created_at),
  foreign key (issue_id) references issues (id) on delete cascade,
  foreign key (author_id) references users (id)
) comment 'What people say about an issue, oldest first.';

create table labels (
  id int auto_increment primary key,
  name varchar(80) not null unique,
  color char(7) not null check (color regexp '^#[0-9a-f]{6}$')
) comment 'Curated labels with a colour.';

create table issue_labels (
  issue_id int not null,
  label_id int not null,
  primary key (issue_id, label_id),
  foreign key (issue_id) references issues (id) on delete cascade,
  foreign key (label_id) references labels (id) on delete cascade
) comment 'Which issue carries which curated label.';

create table notifications (
  id bigint auto_increment primary key,
  user_id int not null,
  issue_id int not null,
  message text not null,
  read_at timestamp(6) null,
  created_at timestamp(6) not null default current_timestamp(6),
  index (user_id, created_at),
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (issue_id) references issues (id) on delete cascade
) comment 'Personal: each user sees their own, by the view my_notifications.';

create view open_issues as
  select i.id, concat(p.`key`, '-', i.number) as reference, i.title, i.status, i.priority, i.due_on, u.name as assignee
  from issues i join projects p on p.id = i.project_id left join users u on u.id = i.assignee_id
  where i.status <> 'done';

create procedure close_issue(in issue_id int, out closed_at timestamp(6), out open_left bigint)
  comment 'Moves an issue to done and tells how many are left open in its project.'
  begin
    update issues i set i.status = 'done' where i.id = issue_id;
    select i.updated_at into closed_at from issues i where i.id = issue_id;
    select count(*) into open_left from issues i
    where i.status <> 'done' and i.project_id = (select own.project_id from issues own where own.id = issue_id);
  end;

create table customers (
  id bigint auto_increment primary key,
  user_id int unique comment 'The account on the board, if they have one.',
  name varchar(200) not null,
  email varchar(200) not null unique check (email regexp '^[^@ ]+@[^@ ]+[.][^@ ]+$'),
  billing_address json not null comment 'Street, postcode, city, and the country as ISO 3166-1 alpha-2.',
  credit_limit decimal(12, 2) not null default 0,
  created_at timestamp(6) not null default current_timestamp(6),
  foreign key (user_id) references users (id) on delete set null
) comment 'Who buys.';

create table products (
  id bigint auto_increment primary key,
  sku varchar(40) not null unique,
  name varchar(200) not null,
  description text not null default '',
  price decimal(10, 2) not null comment 'In euros, with value added tax.' check (price >= 0),
  stock int not null default 0 check (stock >= 0),
  tags json not null default '[]',
  attributes json not null default '{}',
  weight_kg double,
  available_from date not null default curdate() comment 'The first day on which it can be ordered.',
  available_until date comment 'The first day on which it no longer can be.'
) comment 'What is for sale. Everybody may look.';

create table orders (
  id bigint auto_increment primary key,
  reference uuid not null default uuid() unique,
  customer_id bigint not null,
  status enum('placed', 'paid', 'shipped', 'delivered', 'cancelled') not null default 'placed',
  shipping_address json comment 'Null when it goes to the billing address.',
  placed_at timestamp(6) not null default current_timestamp(6),
  delivery_minutes int comment 'From placing to delivery; null while under way.',
  index (customer_id, placed_at),
  foreign key (customer_id) references customers (id)
) comment 'Orders of a customer, seen by that customer by the view my_orders.';

create table order_items (
  order_id bigint not null,
  product_id bigint not null,
  quantity int not null check (quantity > 0),
  unit_price decimal(10, 2) not null comment 'The price on the day of the order.',
  primary key (order_id, product_id),
  foreign key (order_id) references orders (id) on delete cascade,
  foreign key (product_id) references products (id)
) comment 'The lines of an order.';

-- Sums over all customers, which identify no customer.
create view product_sales as
  select p.id as product_id, p.name, count(i.order_id) as orders, coalesce(sum(i.quantity), 0) as units,
    coalesce(sum(i.quantity * i.unit_price), 0) as revenue
  from products p left join order_items i on i.product_id = p.id
  group by p.id;

create procedure quote(
  in product_id bigint, in quantity int, inout discount_percent decimal(5, 2), out unit_price decimal(10, 2),
  out total decimal(12, 2)
)
  comment 'What so many of a product would cost. The discount is cut to 20 percent.'
  begin
    select p.price into unit_price from products p where p.id = product_id;
    set discount_percent = least(coalesce(discount_percent, 0), 20);
    set total = round(unit_price * quantity * (1 - discount_percent / 100), 2);
  end;

create procedure place_order(
  in customer_id bigint, in product_id bigint, in quantity int, out order_id bigint, out total decimal(12, 2)
)
  comment 'Orders one product for a customer.'
  begin
    insert into orders (customer_id) values (customer_id);
    set order_id = last_insert_id();
    insert into order_items (order_id, product_id, quantity, unit_price)
      select order_id, p.id, quantity, p.price from products p where p.id = product_id;
    select sum(i.quantity * i.unit_price) into total from order_items i where i.order_id = order_id;
  end;

-- Row filters. The server sets the variable from the verified token, or to NULL when a request has
-- no token: see docs/mysql.md. A subject that is not a number counts as no user, and is not an
-- error.
create function request_user_id() returns int deterministic no sql
  return if(@`request.user_id` regexp '^[0-9]{1,9}$', cast(@`request.user_id` as int), null);

create view my_notifications as
  select id, user_id, issue_id, message, read_at, created_at from notifications where user_id = request_user_id()
  with cascaded check option;

create view my_orders as
  select id, reference, customer_id, status, shipping_address, placed_at, delivery_minutes from orders
  where customer_id in (select c.id from customers c where c.user_id = request_user_id())
  with cascaded check option;
