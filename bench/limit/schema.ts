/**
 * The data of the workloads: customers → orders → items, readings for wide answers, documents under row level security.
 * Every value follows from its number, so two runs measure the same rows.
 */
export function limitSchema(role: string): readonly string[] {
  return [
    `create schema bench;
     create table bench.customers (
       id integer primary key, name text not null, email text not null, phone text, street text not null, city text not null,
       zip text not null, country text not null, active boolean not null, notes text, created_at timestamptz not null);
     insert into bench.customers
       select n, 'Customer ' || n, 'customer' || n || '@example.com', '+31 20 ' || lpad(n::text, 7, '0'), n || ' Canal Street',
         (array['Amsterdam', 'Utrecht', 'Delft', 'Leiden'])[1 + n % 4], lpad(n::text, 4, '0') || ' AB',
         (array['NL', 'DE', 'FR', 'BE', 'ES', 'IT', 'PT', 'SE', 'FI', 'DK'])[1 + n % 10], n % 3 <> 0,
         case when n % 2 = 0 then 'A note about customer ' || n end, timestamptz '2024-01-01Z' + n * interval '17 minutes'
       from generate_series(1, 5000) n;
     create index on bench.customers (country, id);`,
    `create table bench.orders (
       id integer primary key, customer_id integer not null references bench.customers, status text not null,
       total numeric(10,2) not null, placed_at timestamptz not null);
     insert into bench.orders
       select n, 1 + n % 5000, (array['new', 'paid', 'sent', 'done', 'void', 'held', 'back', 'lost'])[1 + (n / 5000 + n) % 8],
         (n % 5000) / 100.0, timestamptz '2024-02-01Z' + n * interval '1 minute'
       from generate_series(1, 60000) n;
     create index on bench.orders (customer_id, id);
     create index on bench.orders (status);`,
    `create table bench.items (
       id integer primary key, order_id integer not null references bench.orders, product text not null,
       quantity integer not null, price numeric(10,2) not null);
     insert into bench.items
       select n, 1 + n % 60000, 'Product ' || n % 997, 1 + n % 5, (n % 9999) / 100.0 from generate_series(1, 240000) n;
     create index on bench.items (order_id, id);`,
    `create table bench.readings (
       id integer primary key, sensor text not null, place text not null, unit text not null, value double precision not null,
       quality integer not null, comment text not null, valid boolean not null, taken_at timestamptz not null);
     insert into bench.readings
       select n, 'sensor-' || n % 50, 'Hall ' || n % 7 || ', rack ' || n % 31, 'celsius', n * 0.25, n % 100,
         'Measured during the regular round, nothing to report ' || n, n % 9 <> 0, timestamptz '2024-03-01Z' + n * interval '1 second'
       from generate_series(1, 5000) n;`,
    `create table bench.documents (
       id integer primary key, owner text not null, title text not null, body text not null, status text not null,
       created_at timestamptz not null);
     insert into bench.documents
       select n, 'user' || n % 200, 'Document ' || n, 'The text of document ' || n,
         case when n % 4 = 0 then 'closed' else 'open' end, timestamptz '2024-04-01Z' + n * interval '3 minutes'
       from generate_series(1, 40000) n;
     create index on bench.documents (owner, id);
     alter table bench.documents enable row level security;
     alter table bench.documents force row level security;
     create policy own on bench.documents using (owner = nullif(current_setting('request.user_id', true), ''));`,
    `create role ${role} login password '${role}' nosuperuser nobypassrls;
     grant usage on schema bench to ${role};
     grant select, insert, update, delete on all tables in schema bench to ${role};`,
    'vacuum analyze',
  ];
}
