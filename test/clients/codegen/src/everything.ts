import type { GraphQLClient } from 'graphql-request';
import { graphql } from './gql/index.js';
import type { KanbanIssuesCreateInput, ShopProductsWhereInput } from './gql/graphql.js';

const byScalars = graphql(`
  query ByScalars(
    $int: Int!
    $big: BigInt!
    $price: Numeric!
    $weight: Float!
    $plenty: Boolean!
    $name: String!
    $attributes: JSON!
    $search: TextSearch!
    $near: [Float!]!
    $reference: UUID!
    $since: DateTime!
    $took: Interval!
    $due: Date!
    $status: KanbanIssueStatus!
    $where: ShopProductsWhereInput!
    $order: [ShopProductsOrderByInput!]
  ) {
    byKey: shopProductsByPk(id: $big) {
      id
      price
      weight_kg
      attributes
      tags
      available {
        lower
        upper
        lowerInclusive
        empty
      }
      search_vector
    }
    products: shopProducts(
      where: {
        stock: { gte: $int }
        price: { lte: $price }
        weight_kg: { gt: $weight }
        description: { isNotNull: $plenty }
        name: { icontains: $name }
        attributes: { contains: $attributes }
        search_vector: { webSearch: $search }
      }
      or: [$where]
      orderBy: $order
    ) {
      sku
    }
    issues: kanbanIssues(
      where: { status: { eq: $status }, due_on: { gte: $due }, created_at: { gte: $since } }
      vector: { column: "embedding", near: $near, distance: "COSINE", limit: 1 }
    ) {
      status
      due_on
      created_at
      embedding
      kanbanProjectId {
        key
      }
    }
    orders: shopOrders(
      where: { reference: { neq: $reference }, delivery_time: { gt: $took } }
      orderBy: { id: ASC }
      limit: 1
    ) {
      reference
      delivery_time
      status
      shipping_address {
        city
      }
    }
    shopOrdersAggregate {
      count
    }
  }
`);

const write = graphql(`
  mutation Write($issue: KanbanIssuesCreateInput!, $vector: Vector, $project: Int!, $number: Int!) {
    createKanbanIssues(input: $issue) {
      number
      status
      metadata
      embedding
      due_on
      kanbanComments {
        body
      }
    }
    updateKanbanIssues(
      where: { project_id: { eq: $project }, number: { eq: $number } }
      input: { embedding: $vector, priority: high }
      inc: { story_points: 2 }
    ) {
      priority
      story_points
      embedding
    }
  }
`);

/**
 * Sends variables of every scalar of the schema, including whole inputs and enums, and returns the
 * server's answers.
 */
export async function everything(client: GraphQLClient): Promise<unknown> {
  const where: ShopProductsWhereInput = { sku: { startsWith: 'DESK' } };
  const read = await client.request(byScalars, {
    int: 0,
    big: '1',
    price: 1000.5,
    weight: 0.5,
    plenty: true,
    name: 'desk',
    attributes: { material: 'oak' },
    search: { query: 'oak desk', config: 'english' },
    near: [1, 0, 0, 0, 0, 0, 0, 0],
    reference: '00000000-0000-0000-0000-000000000000',
    since: '2020-01-01T00:00:00Z',
    took: 'PT1H',
    due: '2020-01-01',
    status: 'todo',
    where,
    order: [{ price: 'DESC' }],
  });
  const id: string | undefined = read.byKey?.id;
  const price: number | undefined = read.byKey?.price;
  const near: readonly (number | null)[] | null | undefined = read.issues[0]?.embedding;

  const issue: KanbanIssuesCreateInput = {
    project_id: 4,
    number: 950,
    title: 'Typed by codegen',
    status: 'in_progress',
    reporter_id: 4,
    story_points: 1,
    due_on: '2026-02-28',
    metadata: { browser: 'firefox', versions: [1, 2] },
    labels: ['typed'],
    kanbanComments: { data: [{ author_id: 4, body: 'One.' }] },
  };
  const vector = [0, 1, 0, 0, 0, 0, 0, 0.5];
  const written = await client.request(write, { issue, vector, project: 4, number: 950 });
  return { read, written, typed: [typeof id, typeof price, Array.isArray(near)] };
}
