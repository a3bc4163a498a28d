-- The same for MariaDB, which has no arrays (labels) and calls no functions (reference).
create schema kanban character set utf8mb4 collate utf8mb4_bin comment 'A board.';

create table kanban.projects (
  id integer auto_increment primary key,
  `key` varchar(8) not null unique,
  name text not null
);

create table kanban.issues (
  id integer auto_increment primary key,
  project_id integer not null,
  title text not null,
  status enum('todo', 'in_progress', 'done') not null default 'todo',
  metadata json,
  story_points smallint comment 'Estimated effort; null until somebody has estimated it.',
  created_at timestamp(6) not null default current_timestamp(6),
  foreign key (project_id) references kanban.projects (id)
) comment 'Work items on a board.';

create view kanban.open_issues as select id, title from kanban.issues where status <> 'done';

create procedure kanban.close_issue(in issue_id integer, out open_left bigint)
  begin
    update kanban.issues set status = 'done' where id = issue_id;
    select count(*) into open_left from kanban.issues where status <> 'done';
  end;
