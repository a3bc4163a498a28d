import { variantsWhere } from '../../support/describe-where.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled, type Who } from './support/ruled.js';
import { volume } from '../../support/volume.js';

/**
 * 24 identities read and write at once, over both protocols and few connections. None of them sees
 * or changes a row of another one.
 */

/** 20 of each identity, of 14 kinds. */
const requests = volume(480, 9_600);

const users = Array.from({ length: 23 }, (_, at) => `user${String(at)}`);
const roles = ['rules_leaks_one', 'rules_leaks_two'];
/** Their roles count where the server has them. */
const identities: readonly Who[] = [null, ...users.map((sub, at) => ({ sub, role: roles[at % roles.length] }))];

const sql = `
  create table notes (id {id}, owner varchar(40) not null, note varchar(40) not null, kind varchar(10) not null, number int unique);
  create table parts (id {id}, note_id int not null, body varchar(40) not null,
    constraint parts_note foreign key (note_id) references notes (id) on delete cascade);
  ${users.map((user) => `insert into notes (owner, note, kind) values ('${user}', '${user}', 'anchor');`).join('\n')}
  insert into parts (note_id, body) select id, owner from notes`;

const own = { owner: { eq: { claim: 'userId' } } };
const open = (on: OpenRuled): Promise<Ruled> =>
  on({
    name: 'rules_leaks',
    sql,
    rules: (schema) => ({ [`${schema}.notes`]: { read: own }, [`${schema}.parts`]: { read: { note: own } } }),
    environment: { APP_DATASOURCE_POOL_SIZE: '3', APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000' },
  });

/** A generator of numbers that is the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const byRole: OpenRuled = (source) =>
  onPostgres({ ...source, roles, environment: { ...source.environment, APP_SECURITY_SCHEMA_BY_ROLE: 'true' } });

const suites: readonly (readonly [string, OpenRuled])[] = [
  ['PostgreSQL', onPostgres],
  ['PostgreSQL, with an API for each role', byRole],
  ...variantsWhere('mariadb', ['MariaDB', onMysql]),
];

describe.each(suites)('rules on %s', (_database, on) => {
  let served: Ruled;
  let ids: readonly number[];
  beforeAll(async () => {
    served = await open(on);
    ids = (await served.rows('select id from shop.notes order by id')).map(({ id }) => Number(id));
  });
  afterAll(() => served.stop());

  /** Every answer has only texts of the identity. */
  function seen(who: Who, answer: unknown): void {
    const found = new Set(JSON.stringify(answer).match(/user\d+/g) ?? []);
    expect([...found].filter((name) => name !== who?.sub)).toEqual([]);
  }

  /** One request of an identity, by chance. What it may not do, it tries as well. */
  async function act(who: Who, random: (below: number) => number): Promise<void> {
    const me = who?.sub ?? 'nobody';
    const at = random(ids.length);
    const other = users[at] ?? '';
    const key = String(ids[at]);
    const isMine = other === me;
    const refused = ({ status }: { readonly status: number }): void => {
      expect([status, me]).toEqual([isMine ? status : 403, me]);
    };
    const row = { owner: me, note: me, kind: 'temp' };
    switch (random(14)) {
      case 0:
        seen(who, await served.rest(who, 'GET', 'notes?select=*,parts(*)'));
        break;
      case 1:
        seen(
          who,
          await served.ask(
            who,
            '{ notes { owner parts { note_id } } parts { note { owner } } notesAggregate { max { owner } } }',
          ),
        );
        break;
      case 2:
        expect((await served.rest(who, 'POST', 'notes', row)).status).toBe(who === null ? 403 : 201);
        break;
      case 3:
        refused(await served.rest(who, 'POST', 'notes', [row, { ...row, owner: other }]));
        break;
      case 4:
        seen(who, await served.rest(who, 'PATCH', 'notes?id=gt.0', { note: me }));
        break;
      case 5:
        seen(who, await served.rest(who, 'PATCH', `notes?id=eq.${key}`, { note: me }));
        break;
      case 6:
        if (!isMine && who !== null) refused(await served.rest(who, 'PATCH', 'notes?kind=eq.anchor', { owner: other }));
        break;
      case 7:
        seen(who, await served.rest(who, 'DELETE', 'notes?kind=eq.temp'));
        break;
      case 8:
        if (!isMine) expect(await served.rest(who, 'DELETE', `notes?id=eq.${key}`)).toEqual({ status: 200, body: [] });
        break;
      case 9:
        refused(
          await served.rest(
            who,
            'POST',
            'notes',
            { ...row, id: Number(key), kind: 'anchor' },
            'resolution=merge-duplicates',
          ),
        );
        break;
      case 10:
        refused(await served.rest(who, 'POST', 'parts', { note_id: Number(key), body: me }));
        break;
      case 11:
        seen(
          who,
          await served.ask(who, `mutation { updateNotes(where: {}, input: { note: "${me}" }) { owner note } }`),
        );
        break;
      case 12:
        seen(
          who,
          await served.ask(
            who,
            `mutation { updateParts(where: { note_id: { eq: ${key} } }, input: { body: "${me}" }) { note { owner } } }`,
          ),
        );
        break;
      default: {
        const { data, errors } = await served.ask(
          who,
          `mutation { createNotes(input: { owner: "${me}", note: "${me}", kind: "temp", parts: { data: [{ body: "${me}" }] } }) { owner parts { note_id } } }`,
        );
        expect([who === null, errors === undefined]).toEqual([who === null, who !== null]);
        seen(who, data);
      }
    }
  }

  test(`${String(requests)} requests`, async () => {
    const each = Math.ceil(requests / identities.length);
    await Promise.all(
      identities.map(async (who, at) => {
        const random = randomFrom(at + 1);
        for (let turn = 0; turn < each; turn += 1) await act(who, random);
      }),
    );
    expect(await served.rows('select * from shop.notes where owner <> note')).toEqual([]);
    expect(
      await served.rows('select * from shop.parts p join shop.notes n on n.id = p.note_id where p.body <> n.owner'),
    ).toEqual([]);
    const anchors = await served.rows("select id, owner from shop.notes where kind = 'anchor' order by id");
    expect(anchors.map(({ id, owner }) => [Number(id), owner])).toEqual(ids.map((id, at) => [id, users[at]]));
  });
});
