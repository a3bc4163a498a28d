-- Row filters. MariaDB has no row level security. Views filter rows by user instead, and the server
-- serves these views in place of their tables.
--
-- Run this file in the served database, with an account that may create functions and views:
--     mariadb shop < row-filters.sql
-- You may run the file several times. The file is yours: write your views below.

-- Before the statements of every request, the server sets these variables from the verified token,
-- or to NULL when a request has no token. A view cannot read a variable, but it can call a
-- function. DETERMINISTIC lets the database call the function once per statement, and use an index.
create or replace function request_user_id() returns varchar(255) deterministic no sql return @`request.user_id`;
create or replace function request_project_id() returns varchar(255) deterministic no sql return @`request.project_id`;
create or replace function request_claims() returns longtext deterministic no sql return @`request.jwt.claims`;

-- 1. Create a view for each table whose rows belong to users. WITH CHECK OPTION refuses writes of
--    rows that the view does not show.
--
-- create or replace sql security definer view my_orders as
--   select * from orders where customer_id = request_user_id()
--   with cascaded check option;

-- 2. Exclude the tables in tablewright.config.ts: exclude: ['shop.orders']

-- 3. Grant the server's account access to the views, and nothing else. With SQL SECURITY DEFINER a
--    view reads its table with the privileges of the account that created the view.
--
-- create user shop_server identified by '…';
-- grant select, insert, update, delete on my_orders to shop_server;

-- 4. Run `npx tablewright doctor`: it reports every table that is served without a filter.
