-- Rows of the demo database, always the same: seemingly random values come from an MD5 of the row's
-- number. Run the script once, after schema.sql.
CREATE FUNCTION pg_temp.pick(seed text, choices integer) RETURNS integer
LANGUAGE sql IMMUTABLE
AS $$ SELECT ('x' || substr(md5(seed), 1, 7))::bit(28)::integer % choices $$;

CREATE FUNCTION pg_temp.pick_one(seed text, choices text[]) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$ SELECT choices[1 + pg_temp.pick(seed, cardinality(choices))] $$;

INSERT INTO kanban.users (id, public_id, handle, name, time_zone, active, created_at)
SELECT id, md5('user ' || id)::uuid, handle, name, time_zone, active, '2025-01-06 09:00Z'::timestamptz + id * interval '9 days'
FROM (VALUES
  (1, 'ada', 'Ada Okafor', 'Africa/Lagos', true),
  (2, 'bruno', 'Bruno Keller', 'Europe/Zurich', true),
  (3, 'chen', 'Chen Wei', 'Asia/Shanghai', true),
  (4, 'dalia', 'Dalia Haddad', 'Asia/Beirut', true),
  (5, 'emil', 'Emil Sørensen', 'Europe/Copenhagen', true),
  (6, 'fatima', 'Fatima Zahra', 'Africa/Casablanca', true),
  (7, 'george', 'George Papadakis', 'Europe/Athens', true),
  (8, 'hana', 'Hana Suzuki', 'Asia/Tokyo', true),
  (9, 'ines', 'Inês Carvalho', 'Europe/Lisbon', true),
  (10, 'jonas', 'Jonas Brandt', 'Europe/Berlin', false),
  (11, 'kavya', 'Kavya Iyer', 'Asia/Kolkata', true),
  (12, 'liam', 'Liam Murphy', 'Europe/Dublin', true)
) AS u (id, handle, name, time_zone, active);

INSERT INTO kanban.projects (id, key, name, description, visibility, owner_id, settings, created_at, archived_at)
VALUES
  (1, 'WEB', 'Website relaunch', 'The public site, rebuilt to be fast and usable by everybody.', 'public', 1, '{"board": {"columns": 5, "wip_limit": 8}, "color": "teal"}', '2025-03-03 08:30Z', NULL),
  (2, 'APP', 'Mobile app', 'One app for Android and iOS that also works offline.', 'public', 2, '{"board": {"columns": 5, "wip_limit": 6}, "color": "indigo"}', '2025-03-17 10:00Z', NULL),
  (3, 'DOC', 'Documentation', 'Guides, reference and examples for developers.', 'public', 9, '{"board": {"columns": 4}, "color": "amber"}', '2025-04-02 07:45Z', NULL),
  (4, 'PAY', 'Payments', 'Cards, refunds and invoices.', 'private', 4, '{"board": {"columns": 5, "wip_limit": 4}, "color": "green", "audited": true}', '2025-04-14 12:15Z', NULL),
  (5, 'OPS', 'Platform operations', 'What keeps the lights on.', 'private', 5, '{"board": {"columns": 5}, "color": "slate", "on_call": ["emil", "hana"]}', '2025-05-05 06:00Z', NULL),
  (6, 'LAB', 'Research lab', 'Experiments with recommendations. On hold until spring.', 'private', 11, '{"board": {"columns": 3}, "color": "rose"}', '2025-06-09 09:20Z', '2026-02-27 16:00Z');

INSERT INTO kanban.project_members (project_id, user_id, role, joined_on)
SELECT p.id, u.id,
  CASE WHEN u.id = p.owner_id THEN 'owner'
    ELSE pg_temp.pick_one(concat('role ', p.id, ' ', u.id), '{viewer,editor,editor}') END::kanban.member_role,
  p.created_at::date + pg_temp.pick(concat('joined ', p.id, ' ', u.id), 60)
FROM kanban.projects p, kanban.users u
WHERE u.id = p.owner_id OR (u.active AND pg_temp.pick(concat('member ', p.id, ' ', u.id), 10) < 4)
ORDER BY p.id, u.id;

INSERT INTO kanban.labels (id, name, color)
VALUES
  (1, 'bug', '#d73a4a'), (2, 'feature', '#0e8a16'), (3, 'performance', '#fbca04'), (4, 'accessibility', '#5319e7'),
  (5, 'testing', '#0052cc'), (6, 'security', '#b60205'), (7, 'documentation', '#1d76db'), (8, 'good first issue', '#7057ff');

WITH component (project_id, family, name) AS (
  VALUES
    (1, 'screen', 'login page'), (1, 'screen', 'checkout form'), (1, 'screen', 'search results'),
    (1, 'screen', 'image gallery'), (1, 'screen', 'cookie banner'),
    (2, 'screen', 'login screen'), (2, 'screen', 'photo upload'), (2, 'screen', 'notification settings'),
    (2, 'screen', 'offline mode'), (2, 'screen', 'onboarding tour'),
    (3, 'screen', 'API reference'), (3, 'screen', 'getting started guide'), (3, 'screen', 'code playground'),
    (3, 'screen', 'documentation search'), (3, 'screen', 'release notes'),
    (4, 'service', 'payment gateway'), (4, 'service', 'refund worker'), (4, 'service', 'invoice export'),
    (4, 'service', 'fraud check'), (4, 'service', 'currency converter'),
    (5, 'service', 'backup job'), (5, 'service', 'deployment pipeline'), (5, 'service', 'log archive'),
    (5, 'service', 'certificate renewal'), (5, 'service', 'alert router'),
    (6, 'service', 'recommendation model'), (6, 'service', 'nightly training'), (6, 'service', 'feature store'),
    (6, 'service', 'experiment tracker'), (6, 'service', 'labelling queue')
), template (family, title, description, labels, points) AS (
  VALUES
    ('screen', '%s times out on slow connections', 'On a 3G connection the %s takes more than thirty seconds and then gives up without a word. It should load what matters first and say what it waits for.', '{bug,performance}', 5),
    ('screen', '%s cannot be used with the keyboard alone', 'The focus never reaches the buttons of the %s. Screen reader users are stuck as well.', '{bug,accessibility}', 3),
    ('screen', 'Show a clear error when the %s fails', 'At the moment people see "something went wrong". Say what failed, whether anything was saved, and what to do next.', '{feature,usability}', 2),
    ('screen', '%s stays empty after an update', 'After the last release the %s comes up blank until the cache is cleared. Seen in Firefox and Safari.', '{bug,regression}', 3),
    ('screen', 'Remember the last choice in the %s', 'People pick the same thing again and again. Keep it for the next visit.', '{feature,usability}', 3),
    ('screen', 'Write end-to-end tests for the %s', 'Every release we try the %s by hand. Cover the happy path and the two failures we had this year.', '{testing}', 5),
    ('screen', 'Translate the %s into French and Arabic', 'Texts of the %s are still English only. Mind the right-to-left layout.', '{feature,translation}', 8),
    ('screen', 'Measure how often the %s is used', 'Before we redesign the %s we should know who uses it, and without tracking anybody.', '{analytics}', 2),
    ('service', '%s fails silently when the disk is full', 'The %s reported success last week although nothing was written. It must fail loudly.', '{bug,reliability}', 5),
    ('service', '%s takes more than an hour at month end', 'Nine tenths of the time goes into one query. An index is missing.', '{bug,performance}', 5),
    ('service', 'Retry the %s after a network error', 'One lost packet and the %s gives up for the day. Try again with a growing delay, and stop after five times.', '{feature,reliability}', 3),
    ('service', 'Alert somebody when the %s stalls', 'Nobody noticed for two days. Page whoever is on call after fifteen minutes without progress.', '{feature,monitoring}', 2),
    ('service', 'Document how to restart the %s', 'Only one of us knows the order of the steps. Write them down where people look at three in the morning.', '{documentation}', 1),
    ('service', 'Rotate the credentials of the %s', 'The password of the %s is two years old. Move it to the vault and change it every month.', '{security}', 3),
    ('service', 'Run the %s in the second region', 'If the first region goes away, the %s goes with it.', '{feature,reliability}', 13),
    ('service', 'Load test the %s', 'Find out at which rate the %s falls over, before a customer does.', '{testing,performance}', 5)
), planned AS (
  SELECT c.project_id, t.labels::text[] AS labels, t.points, upper(left(line.title, 1)) || substr(line.title, 2) AS title,
    format(t.description, c.name) AS description,
    row_number() OVER (PARTITION BY c.project_id ORDER BY md5(c.name || t.title))::integer AS number
  FROM component c JOIN template t USING (family), format(t.title, c.name) AS line (title)
), issue AS (
  SELECT planned.*, ((number - 1) * 6 + project_id)::integer AS id FROM planned
), placed AS (
  SELECT issue.*,
    pg_temp.pick_one('status ' || id, '{backlog,backlog,todo,todo,in_progress,in_progress,in_review,done,done,done}') AS status,
    '2025-09-01 08:00Z'::timestamptz + id * interval '17 hours' + pg_temp.pick('minute ' || id, 480) * interval '1 minute' AS created_at
  FROM issue
)
INSERT INTO kanban.issues (
  id, project_id, number, title, description, status, priority, labels, metadata, story_points, reporter_id, assignee_id,
  due_on, created_at, updated_at
)
SELECT id, project_id, number, title, description, status::kanban.issue_status,
  pg_temp.pick_one('priority ' || id, '{low,medium,medium,medium,high,high,urgent}')::kanban.issue_priority,
  labels,
  jsonb_strip_nulls(jsonb_build_object(
    'version', format('%s.%s.%s', 2 + id / 120, pg_temp.pick('minor ' || id, 10), pg_temp.pick('patch ' || id, 6)),
    'browser', CASE WHEN project_id IN (1, 3) THEN pg_temp.pick_one('browser ' || id, '{Firefox,Chrome,Safari,Edge}') END,
    'device', CASE WHEN project_id = 2 THEN pg_temp.pick_one('device ' || id, '{Pixel 8,Galaxy S23,iPhone 15,iPhone SE}') END,
    'region', CASE WHEN project_id > 3 THEN pg_temp.pick_one('region ' || id, '{eu-west,eu-north,us-east}') END,
    'votes', pg_temp.pick('votes ' || id, 40)
  )),
  CASE WHEN pg_temp.pick('estimated ' || id, 5) > 0 THEN points END,
  1 + pg_temp.pick('reporter ' || id, 12),
  CASE WHEN status <> 'backlog' OR pg_temp.pick('assigned ' || id, 3) = 0 THEN 1 + pg_temp.pick('assignee ' || id, 12) END,
  CASE WHEN pg_temp.pick('due ' || id, 3) = 0 THEN created_at::date + 14 + pg_temp.pick('due on ' || id, 60) END,
  created_at,
  created_at + CASE WHEN status = 'backlog' THEN interval '0' ELSE pg_temp.pick('updated ' || id, 900) * interval '1 hour' END
FROM placed
ORDER BY id;

-- Every ninth issue is part of an earlier issue of the same project. The trigger is off, because it
-- would make the issues look new.
ALTER TABLE kanban.issues DISABLE TRIGGER touch;
UPDATE kanban.issues SET parent_id = id - 6 * (1 + pg_temp.pick('parent ' || id, (id - 1) / 6))
WHERE id % 9 = 0 AND id > 6;
ALTER TABLE kanban.issues ENABLE TRIGGER touch;

INSERT INTO kanban.comments (issue_id, author_id, body, created_at, edited_at)
SELECT i.id, 1 + pg_temp.pick(seed.text || 'author', 12),
  pg_temp.pick_one(seed.text || 'body', ARRAY[
    'I can reproduce this on the staging server.',
    'Cannot reproduce. Which version do you have?',
    'Same here since the last release.',
    'This is a duplicate of something we fixed in spring, I think. I will look for it.',
    'A customer asked about this today. Can we move it up?',
    'Started a branch. The tests are the larger part of the work.',
    'Let us keep the scope small: the first half is enough for now.',
    'I would rather fix the cause than the symptom, even if it takes a week longer.',
    'Ready for review.',
    'Two remarks in the review, otherwise good.',
    'Deployed to staging, please try it.',
    'Works for me now. Thank you!',
    'Not fixed on my phone, screenshot attached.',
    'Estimated with the team: larger than we thought.',
    'Blocked until the new certificate is there.',
    'Could we have a line about this in the release notes?'
  ]),
  i.created_at + n * interval '19 hours' + pg_temp.pick(seed.text || 'time', 900) * interval '1 minute',
  CASE WHEN pg_temp.pick(seed.text || 'edited', 12) = 0 THEN i.created_at + n * interval '19 hours' + interval '1 day' END
FROM kanban.issues i, generate_series(1, 3) AS n, concat('comment ', i.id, ' ', n, ' ') AS seed (text)
WHERE n <= pg_temp.pick('comments ' || i.id, 4)
ORDER BY i.id, n;

INSERT INTO kanban.issue_labels (issue_id, label_id)
SELECT i.id, l.id
FROM kanban.issues i JOIN kanban.labels l ON l.name = ANY (i.labels) OR (l.name = 'good first issue' AND i.story_points <= 2)
ORDER BY i.id, l.id;

INSERT INTO kanban.notifications (id, user_id, issue_id, message, read_at, created_at)
SELECT row_number() OVER (ORDER BY i.updated_at, i.id), i.assignee_id, i.id,
  CASE i.status WHEN 'in_review' THEN 'Waits for your review: ' ELSE 'Assigned to you: ' END || i.title,
  CASE WHEN pg_temp.pick('read ' || i.id, 3) > 0 THEN i.updated_at + interval '3 hours' END,
  i.updated_at
FROM kanban.issues i
WHERE i.assignee_id IS NOT NULL AND i.status IN ('todo', 'in_progress', 'in_review');

INSERT INTO shop.customers (id, user_id, name, email, billing_address, credit_limit, created_at)
SELECT id, CASE WHEN id <= 6 THEN id END, name, email,
  ROW(street, postcode, city, country)::shop.address, (pg_temp.pick('credit ' || id, 20) * 250)::numeric,
  '2025-02-10 10:00Z'::timestamptz + id * interval '11 days'
FROM (VALUES
  (1, 'Ada Okafor', 'ada@example.org', '14 Marina Road', '101001', 'Lagos', 'NG'),
  (2, 'Bruno Keller', 'bruno.keller@example.ch', 'Langstrasse 88', '8004', 'Zürich', 'CH'),
  (3, 'Chen Wei', 'chen.wei@example.cn', '200 Fuzhou Road', '200002', 'Shanghai', 'CN'),
  (4, 'Dalia Haddad', 'dalia@example.com', 'Rue Gouraud 31', '1100', 'Beirut', 'LB'),
  (5, 'Emil Sørensen', 'emil@example.dk', 'Nørrebrogade 12', '2200', 'København', 'DK'),
  (6, 'Fatima Zahra', 'fatima.zahra@example.ma', '5 rue Tata', '20250', 'Casablanca', 'MA'),
  (7, 'Harbour Books', 'orders@harbourbooks.example', '3 Quay Street', 'D02 X285', 'Dublin', 'IE'),
  (8, 'Atelier Lumière', 'atelier@lumiere.example', '18 rue des Martyrs', '75009', 'Paris', 'FR'),
  (9, 'Studio Nord', 'hei@studionord.example', 'Markveien 35', '0554', 'Oslo', 'NO'),
  (10, 'Maria Kowalska', 'maria.kowalska@example.pl', 'ulica Długa 7', '00-238', 'Warszawa', 'PL'),
  (11, 'O''Brien & Daughters', 'hello@obrien.example', '41 Shop Street', 'H91 F6RW', 'Galway', 'IE'),
  (12, 'Tanaka Design', 'info@tanaka.example', '2-11-3 Meguro', '153-0063', 'Tokyo', 'JP'),
  (13, 'Lucía Fernández', 'lucia@example.es', 'Calle de la Palma 20', '28004', 'Madrid', 'ES'),
  (14, 'Green Valley School', 'office@greenvalley.example', '9 Mill Lane', 'BS8 1QU', 'Bristol', 'GB')
) AS c (id, name, email, street, postcode, city, country);

INSERT INTO shop.products (id, sku, name, description, price, stock, tags, attributes, weight_kg, available)
SELECT id, sku, name, description, price, pg_temp.pick('stock ' || id, 120), tags::text[], attributes::jsonb, weight_kg,
  CASE WHEN id % 8 = 0 THEN daterange('2025-01-01', '2026-01-01') ELSE daterange('2025-01-01', NULL) END
FROM (VALUES
  (1, 'DESK-OAK-140', 'Oak desk 140', 'A solid oak desk with a drawer and a cable tray.', 489.00, '{furniture,desk,wood}', '{"width_cm": 140, "material": "oak"}', 38.5),
  (2, 'DESK-OAK-180', 'Oak desk 180', 'The wide oak desk, for two screens and a plant.', 579.00, '{furniture,desk,wood}', '{"width_cm": 180, "material": "oak"}', 46.0),
  (3, 'DESK-LIFT', 'Standing desk', 'Height adjustable from 65 to 130 cm, with memory for four heights.', 749.90, '{furniture,desk,ergonomic}', '{"width_cm": 160, "motor": true}', 52.2),
  (4, 'CHAIR-MESH', 'Mesh office chair', 'Adjustable in six ways, airy mesh back.', 329.00, '{furniture,chair,ergonomic}', '{"adjustable": true, "warranty_years": 5}', 14.8),
  (5, 'CHAIR-WOOD', 'Wooden visitor chair', 'Stackable beech chair.', 119.50, '{furniture,chair,wood}', '{"material": "beech"}', 5.1),
  (6, 'LAMP-ARM', 'Desk lamp with arm', 'Warm light, dimmable, with a clamp for the desk.', 84.90, '{lamp,lighting}', '{"lumen": 800, "dimmable": true}', 1.9),
  (7, 'LAMP-FLOOR', 'Floor lamp', 'Soft light for the reading corner.', 139.00, '{lamp,lighting}', '{"lumen": 1100, "dimmable": false}', 6.4),
  (8, 'SHELF-3', 'Shelf with three boards', 'Pine shelf for files and books.', 95.00, '{furniture,shelf,wood}', '{"boards": 3, "material": "pine"}', 11.0),
  (9, 'SHELF-5', 'Shelf with five boards', 'Pine shelf, tall, with a wall mount.', 145.00, '{furniture,shelf,wood}', '{"boards": 5, "material": "pine"}', 17.5),
  (10, 'KEYB-MECH', 'Mechanical keyboard', 'Quiet brown switches, hot-swappable.', 129.00, '{computer,keyboard}', '{"layout": "ISO", "wireless": false}', 0.9),
  (11, 'KEYB-SLIM', 'Slim wireless keyboard', 'Light and flat, three devices.', 79.00, '{computer,keyboard}', '{"layout": "ISO", "wireless": true}', 0.4),
  (12, 'MOUSE-VERT', 'Vertical mouse', 'Easy on the wrist.', 59.90, '{computer,mouse,ergonomic}', '{"wireless": true}', 0.2),
  (13, 'SCREEN-27', 'Screen 27 inch', 'A sharp 4K screen with one cable for picture and power.', 419.00, '{computer,screen}', '{"inches": 27, "ports": ["USB-C", "HDMI"]}', 6.2),
  (14, 'SCREEN-ARM', 'Screen arm', 'Holds a screen of up to 9 kg.', 99.00, '{computer,screen,ergonomic}', '{"max_kg": 9}', 3.1),
  (15, 'NOTE-A5', 'Notebook A5', 'Dotted, 192 pages, lies flat.', 14.50, '{paper,stationery}', '{"pages": 192}', 0.3),
  (16, 'NOTE-A4', 'Notebook A4', 'Lined, 160 pages.', 17.90, '{paper,stationery}', '{"pages": 160}', 0.6),
  (17, 'PEN-FOUNT', 'Fountain pen', 'Steel nib, refillable.', 34.00, '{stationery,pen}', '{"nib": "F"}', 0.05),
  (18, 'PEN-GEL-12', 'Gel pens, twelve', 'Twelve colours.', 19.90, '{stationery,pen}', '{"count": 12}', 0.15),
  (19, 'PLANT-FICUS', 'Ficus in a pot', 'Likes light, forgives holidays.', 44.00, '{plant}', '{"height_cm": 90}', 7.0),
  (20, 'PLANT-FERN', 'Fern in a pot', 'Likes shade and company.', 29.00, '{plant}', '{"height_cm": 40}', 3.0),
  (21, 'BAG-FELT', 'Felt laptop bag', 'For 14 inch laptops.', 64.00, '{bag}', '{"inches": 14}', 0.5),
  (22, 'MUG-STONE', 'Stoneware mug', 'Holds a proper amount of coffee.', 16.00, '{kitchen}', '{"ml": 400}', 0.4),
  (23, 'BOTTLE-1L', 'Steel bottle', 'One litre, keeps tea warm until lunch.', 32.50, '{kitchen}', '{"ml": 1000}', 0.45),
  (24, 'HEADSET', 'Wireless headset', 'Cancels the noise of open offices.', 189.00, '{computer,audio}', '{"wireless": true, "hours": 30}', 0.28)
) AS p (id, sku, name, description, price, tags, attributes, weight_kg);

INSERT INTO shop.orders (id, reference, customer_id, status, shipping_address, placed_at, delivery_time)
SELECT id, md5('order ' || id)::uuid, 1 + pg_temp.pick('customer ' || id, 14), status::shop.order_status,
  CASE WHEN pg_temp.pick('ship ' || id, 4) = 0 THEN ROW('Unit ' || id || ', Dock 4', '1012 AB', 'Amsterdam', 'NL')::shop.address END,
  '2025-05-01 09:00Z'::timestamptz + id * interval '61 hours' + pg_temp.pick('placed ' || id, 600) * interval '1 minute',
  CASE WHEN status = 'delivered' THEN interval '2 days' + pg_temp.pick('delivery ' || id, 6000) * interval '1 minute' END
FROM generate_series(1, 90) AS id,
  pg_temp.pick_one('order status ' || id, '{placed,paid,shipped,delivered,delivered,delivered,cancelled}') AS status;

INSERT INTO shop.order_items (order_id, product_id, quantity, unit_price)
SELECT DISTINCT ON (o.id, p.id) o.id, p.id, 1 + pg_temp.pick(concat('quantity ', o.id, ' ', n), 4), p.price
FROM shop.orders o, generate_series(1, 4) AS n
JOIN shop.products p ON true
WHERE n <= 1 + pg_temp.pick('lines ' || o.id, 4) AND p.id = 1 + pg_temp.pick(concat('product ', o.id, ' ', n), 24)
ORDER BY o.id, p.id, n;

REFRESH MATERIALIZED VIEW shop.product_sales;

SELECT setval(pg_get_serial_sequence('kanban.users', 'id'), (SELECT max(id) FROM kanban.users));
SELECT setval(pg_get_serial_sequence('kanban.projects', 'id'), (SELECT max(id) FROM kanban.projects));
SELECT setval(pg_get_serial_sequence('kanban.issues', 'id'), (SELECT max(id) FROM kanban.issues));
SELECT setval(pg_get_serial_sequence('kanban.labels', 'id'), (SELECT max(id) FROM kanban.labels));
SELECT setval(pg_get_serial_sequence('kanban.notifications', 'id'), (SELECT max(id) FROM kanban.notifications));
SELECT setval(pg_get_serial_sequence('shop.customers', 'id'), (SELECT max(id) FROM shop.customers));
SELECT setval(pg_get_serial_sequence('shop.products', 'id'), (SELECT max(id) FROM shop.products));
SELECT setval(pg_get_serial_sequence('shop.orders', 'id'), (SELECT max(id) FROM shop.orders));

DROP FUNCTION pg_temp.pick_one(text, text[]);
DROP FUNCTION pg_temp.pick(text, integer);
