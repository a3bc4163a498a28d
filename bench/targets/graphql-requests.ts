import type { Data, Exchanges, HttpRequest } from '../harness/target.js';
import type { WorkloadId } from '../workloads/inputs.js';
import { customerColumns, documentColumns, paymentColumns, stockColumns } from '../workloads/workloads.js';

/** The documents of a client: fixed texts, with variables for the varying values. */
export const documents: Readonly<Record<WorkloadId, string>> = {
  W1: `query ($id: Int!) { benchCustomersByPk(id: $id) { ${fields(customerColumns)} } }`,
  W2: `query ($country: String!) {
    benchCustomers(where: { country: { eq: $country } }, orderBy: { id: ASC }, limit: 30) { ${fields(customerColumns)} }
  }`,
  W3: `{
    benchCustomers(orderBy: { id: ASC }, limit: 10) {
      id
      name
      orders: benchOrders(orderBy: { id: ASC }, limit: 10) {
        id
        total
        status
        items: benchItems(orderBy: { id: ASC }, limit: 3) { id product quantity price }
      }
    }
  }`,
  W4: `mutation ($payment: BenchPaymentsCreateInput!) { createBenchPayments(input: $payment) { ${fields(paymentColumns)} } }`,
  W4b: 'mutation ($payments: [BenchPaymentsCreateInput!]!) { createManyBenchPayments(inputs: $payments) { id } }',
  W4c: `mutation ($id: Int!, $quantity: Int!) {
    updateBenchStock(id: $id, input: { quantity: $quantity }) { ${fields(stockColumns)} }
  }`,
  W4d: `mutation ($stock: BenchStockCreateInput!) {
    createBenchStock(input: $stock, onConflict: { constraint: stock_sku_key }) { ${fields(stockColumns)} }
  }`,
  W5: `query ($warehouse: Int!) {
    benchOrdersAggregate(where: { warehouse: { eq: $warehouse } }) { count sum { total } }
  }`,
  W6: `{ benchCustomers(orderBy: { id: ASC }, limit: 1000) { ${fields(customerColumns)} } }`,
  W7: `{
    benchDocuments(where: { status: { eq: "open" } }, orderBy: { id: DESC }, limit: 30) { ${fields(documentColumns)} }
  }`,
};

/** The workloads as requests to the GraphQL API of the generated server. */
export function graphqlRequests({ token }: Data): Exchanges {
  return {
    W1: { request: (input) => post('W1', input), rows: field('benchCustomersByPk') },
    W2: { request: (input) => post('W2', input), rows: field('benchCustomers') },
    W3: { request: (input) => post('W3', input), rows: field('benchCustomers') },
    W4: { request: (input) => post('W4', input), rows: field('createBenchPayments') },
    W4b: {
      request: (input) => post('W4b', input),
      rows: (body) => (field('createManyBenchPayments')(body) as readonly unknown[]).length,
    },
    W4c: {
      request: (input) => post('W4c', input),
      rows: (body) => (field('updateBenchStock')(body) as readonly unknown[])[0],
    },
    W4d: { request: (input) => post('W4d', input), rows: field('createBenchStock') },
    W5: {
      request: (input) => post('W5', input),
      rows: (body) => {
        const { count, sum } = field('benchOrdersAggregate')(body) as { count: number; sum: { total: unknown } };
        return { count, sum: sum.total };
      },
    },
    W6: { request: (input) => post('W6', input), rows: field('benchCustomers') },
    W7: { request: (input) => post('W7', input, { authorization: `Bearer ${token}` }), rows: field('benchDocuments') },
  };
}

const field =
  (name: string) =>
  (body: unknown): unknown =>
    (body as { data: Readonly<Record<string, unknown>> }).data[name];

function fields(columns: string): string {
  return columns.replaceAll(',', '');
}

const post = (id: WorkloadId, variables: object, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ query: documents[id].replaceAll(/\s+/g, ' '), variables }),
});
