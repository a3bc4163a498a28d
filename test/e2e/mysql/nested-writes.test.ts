import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

const schema = `
create table people (
  id int not null auto_increment primary key,
  handle varchar(40) not null unique,
  visits int not null default 0,
  manager int,
  constraint people_manager foreign key (manager) references people (id)
);
create table badges (
  id binary(4) not null primary key,
  code varchar(20) not null unique,
  person int unique,
  constraint badges_person foreign key (person) references people (id)
);
create table tasks (
  project varchar(20) not null,
  number int not null,
  title varchar(200) not null,
  assignee int,
  primary key (project, number),
  constraint tasks_assignee foreign key (assignee) references people (id)
);
create table comments (
  id int not null auto_increment primary key,
  project varchar(20),
  number int,
  body varchar(200) not null,
  constraint comments_task foreign key (project, number) references tasks (project, number)
);
create table labels (id bigint unsigned not null auto_increment primary key, name varchar(20) not null unique);
create table task_labels (
  project varchar(20) not null,
  number int not null,
  label bigint unsigned not null,
  primary key (project, number, label),
  constraint task_labels_task foreign key (project, number) references tasks (project, number),
  constraint task_labels_label foreign key (label) references labels (id)
);
insert into people (id, handle, manager) values (1, 'ada', null), (2, 'bob', 1);
insert into badges values (x'00000001', 'A1', 1), (x'00000002', 'F0', null);
insert into tasks values ('p', 1, 'One', 1), ('p', 2, 'Two', null);
insert into comments (id, project, number, body) values (1, 'p', 1, 'a'), (2, 'p', 1, 'b'), (3, 'p', 2, 'c'), (4, null, null, 'loose');
insert into labels (id, name) values (1, 'red'), (2, 'green'), (3, 'blue');
insert into task_labels values ('p', 1, 1), ('p', 1, 2);
`;

describeMysql('a server of a MariaDB database writes rows inside rows', () => {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql({}, '', schema);
  });

  afterAll(() => served.stop());

  const answer = async (document: string) => {
    const { body } = await served.ask(document);
    return body as { readonly data: Record<string, unknown> | null; readonly errors?: readonly unknown[] };
  };
  const data = async (document: string): Promise<unknown> => {
    const body = await answer(document);
    expect(body).not.toHaveProperty('errors');
    return body.data;
  };
  const task = (input: string, select: string) =>
    `mutation { row: update$$Tasks(where: {project: {eq: "p"}, number: {eq: 1}}, input: {${input}}) { ${select} } }`;

  test('that refer to the row, by a key of two columns', async () => {
    const document = task(
      'title: "One!", $Comments: {create: [{body: "new"}], connect: [{id: 4}], update: [{where: {id: 1}, data: {body: "a!"}}], delete: [{id: 2}]}',
      'title comments: $Comments(orderBy: {body: ASC}) { body }',
    );
    expect(await data(document)).toEqual({
      row: [{ title: 'One!', comments: [{ body: 'a!' }, { body: 'loose' }, { body: 'new' }] }],
    });
    expect(
      await data(
        task(
          '$Comments: {disconnect: [{id: 4}], update: [{where: {id: 1}, data: {body: "a!"}}], upsert: [{where: {id: 1}, create: {body: "no"}, update: {body: "a"}}, {where: {id: 77}, create: {body: "up"}, update: {body: "no"}}]}',
          'comments: $Comments(orderBy: {body: ASC}) { body }',
        ),
      ),
    ).toEqual({ row: [{ comments: [{ body: 'a' }, { body: 'new' }, { body: 'up' }] }] });
  });

  test('that the row refers to, that are its only one, or tied to it by a junction table', async () => {
    expect(
      await data(
        task(
          `$Assignee: {update: {visits: 3, $Badges: {disconnect: true, connect: {code: "F0"}}, $People: {update: [{where: {handle: "bob"}, data: {visits: 9}}]}}},
           $LabelsViaTaskLabels: {connect: [{name: "blue"}, {name: "red"}], disconnect: [{id: 2}], create: [{name: "pink"}]}`,
          'assignee: $Assignee { visits badge: $Badges { code } people: $People { visits } } labels: $LabelsViaTaskLabels(orderBy: {name: ASC}) { name }',
        ),
      ),
    ).toEqual({
      row: [
        {
          assignee: { visits: 3, badge: { code: 'F0' }, people: [{ visits: 9 }] },
          labels: [{ name: 'blue' }, { name: 'pink' }, { name: 'red' }],
        },
      ],
    });
    expect(
      await data(task('$Assignee: {disconnect: true}, $LabelsViaTaskLabels: {delete: [{name: "pink"}]}', 'assignee')),
    ).toEqual({
      row: [{ assignee: null }],
    });
  });

  test('inside a new one', async () => {
    expect(
      await data(`mutation { row: create$$Tasks(input: {project: "p", number: 9, title: "Nine", $Assignee: {connect: {handle: "ada"}},
        $LabelsViaTaskLabels: {connect: [{id: 1}], connectOrCreate: [{where: {name: "sky"}, create: {name: "sky"}}]}, $Comments: {data: [{body: "first"}]}
      }) { assignee: $Assignee { handle } labels: $LabelsViaTaskLabels(orderBy: {name: ASC}) { name } comments: $Comments { body } } }`),
    ).toEqual({
      row: { assignee: { handle: 'ada' }, labels: [{ name: 'red' }, { name: 'sky' }], comments: [{ body: 'first' }] },
    });
  });

  test('of another row are out of reach, and nothing is written', async () => {
    for (const part of [
      'update: [{where: {id: 3}, data: {body: "x"}}]',
      'delete: [{id: 3}]',
      'disconnect: [{id: 3}]',
      'connect: [{id: 99}]',
    ]) {
      const { data: written, errors } = await answer(
        task(`title: "changed", $Comments: {create: [{body: "z"}], ${part}}`, 'title'),
      );
      expect(written).toBeNull();
      expect(errors).toMatchObject([{ path: ['row'], extensions: { code: 'TW008' } }]);
    }
    expect(
      await data(
        '{ tasks: $Tasks(where: {title: {eq: "changed"}}) { number } comments: $Comments(where: {body: {eq: "z"}}) { id } }',
      ),
    ).toEqual({
      tasks: [],
      comments: [],
    });
  });
});
