import type { GraphQLClient } from 'graphql-request';
import { graphql, type ResultOf, type VariablesOf } from './graphql.js';

const products = graphql(`
  query Products(
    $id: BigInt!
    $price: Numeric!
    $attributes: JSON!
    $search: TextSearch!
    $where: ShopProductsWhereInput!
  ) {
    byKey: shopProductsByPk(id: $id) {
      id
      price
      weight_kg
      attributes
      available {
        lower
        upper
      }
    }
    shopProducts(
      where: {
        price: { lte: $price }
        attributes: { contains: $attributes }
        search_vector: { search: $search }
        and: [$where]
      }
      orderBy: { id: ASC }
    ) {
      sku
      search_vector
    }
  }
`);

const orders = graphql(`
  query Orders($reference: UUID!, $took: Interval!, $since: DateTime!, $status: ShopOrderStatus!) {
    shopOrders(
      where: {
        reference: { neq: $reference }
        delivery_time: { gt: $took }
        placed_at: { gte: $since }
        status: { neq: $status }
      }
      orderBy: { id: ASC }
      limit: 1
    ) {
      id
      reference
      status
      delivery_time
      shopCustomerId {
        name
      }
    }
  }
`);

const create = graphql(`
  mutation Create($issue: KanbanIssuesCreateInput!, $due: Date, $vector: Vector, $points: Int, $tags: [String]) {
    createKanbanIssues(input: $issue) {
      number
      status
      metadata
    }
    updateKanbanIssues(
      where: { project_id: { eq: 4 }, number: { eq: 951 } }
      input: { due_on: $due, embedding: $vector, story_points: $points, labels: $tags }
    ) {
      due_on
      embedding
      story_points
      labels
    }
  }
`);

/**
 * The same requests as in `codegen`, with documents whose types TypeScript infers from the schema.
 */
export async function everything(client: GraphQLClient): Promise<unknown> {
  const variables: VariablesOf<typeof products> = {
    id: '1',
    price: 1000.5,
    attributes: { material: 'oak' },
    search: 'oak',
    where: { sku: { startsWith: 'DESK' } },
  };
  const found: ResultOf<typeof products> = await client.request(products, variables);
  const id: string | undefined = found.byKey?.id;
  const price: number | undefined = found.byKey?.price;
  const ordered = await client.request(orders, {
    reference: '00000000-0000-0000-0000-000000000000',
    took: 'PT1H',
    since: '2020-01-01T00:00:00Z',
    status: 'cancelled',
  });
  const customer: string | undefined = ordered.shopOrders[0]?.shopCustomerId?.name;
  const written = await client.request(create, {
    issue: {
      project_id: 4,
      number: 951,
      title: 'Typed by gql.tada',
      status: 'todo',
      reporter_id: 4,
      metadata: { a: [1, null] },
    },
    due: '2026-02-28',
    vector: [0, 1, 0, 0, 0, 0, 0, 0.5],
    points: 3,
    tags: ['typed', 'inferred'],
  });
  return { found, ordered, written, typed: [typeof id, typeof price, typeof customer] };
}
