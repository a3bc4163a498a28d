-- Row filters. MariaDB has no row level security: views filter rows by user, and are served in the place of their tables.
--
-- Run this file as an account that may create functions and views, in the database that is served:
--     mariadb shop < row-filters.sql
-- It may be run again. It is yours: write your views below.

-- The server sets these variables before the statements of every request, from its verified token, and to NULL for nobody. A view
-- may not read a variable, but it may call a function. DETERMINISTIC lets the database call it once for a statement, and use an index.
create or replace function request_user_id() returns varchar(255) deterministic no sql return @`request.user_id`;
create or replace function request_project_id() returns varchar(255) deterministic no sql return @`request.project_id`;
create or replace function request_claims() returns longtext deterministic no sql return @`request.jwt.claims`;

-- 1. A view for each table whose rows belong to somebody. WITH CHECK OPTION refuses rows that the view would not show.
--
-- create or replace sql security definer view my_orders as
--   select * from orders where customer_id = request_user_id()
--   with cascaded check option;

-- 2. Leave the tables out of what is served, in tablewright.config.ts: exclude: ['shop.orders']

-- 3. Let the account that the server connects as use the views, and nothing else. With SQL SECURITY DEFINER a view reads its
--    table with the rights of the account that made it.
--
-- create user shop_server identified by '…';
-- grant select, insert, update, delete on my_orders to shop_server;

-- 4. `npx tablewright doctor` names every table that is served without a filter.
