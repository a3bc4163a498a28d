INSERT INTO kanban.users VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Linus');
INSERT INTO kanban.projects VALUES (1, 'Web', 1), (2, 'App', 2), (3, 'Empty', NULL);
INSERT INTO kanban.issues (id, project_id, assignee_id, title, status, points, estimate, views, labels, metadata, urgent, created_at) VALUES
  (1, 1, 1, 'Login fails with 100% CPU', 'todo', 3, 1.50, 9007199254740993, '{bug,auth}', '{"browser": "firefox", "tags": ["a", "b"]}', true, '2024-01-01 10:00:00.123456+00'),
  (2, 1, 2, 'Dark mode', 'in progress', 5, NULL, 7, '{ui}', '{"browser": "chrome", "n": 5}', false, '2024-01-02 10:00:00+00'),
  (3, 1, NULL, 'Broken search results', 'done', NULL, 2.25, 0, '{}', '{}', NULL, '2024-01-03 10:00:00+00'),
  (4, 2, 1, 'Search is slow', 'todo', 8, 10.00, 12, '{bug,perf}', '{"browser": null}', true, '2024-01-04 10:00:00+00'),
  (5, 2, 3, 'login_page broken', 'done', 5, 0.10, 3, '{auth}', '{"deep": {"er": [1, 2, 3]}}', false, '2024-01-04 10:00:00+00');
INSERT INTO kanban.labels VALUES (1, 'urgent'), (2, 'later');
INSERT INTO kanban.issue_labels VALUES (1, 1), (2, 2), (4, 1), (4, 2);
INSERT INTO kanban.briefs VALUES (1, 'Fix the login'), (4, 'Make it fast');
INSERT INTO kanban.log SELECT '2024-01-01'::timestamptz + i * interval '1 hour', 'line ' || i FROM generate_series(1, 7) AS i;
ANALYZE;
