import type { Data, Exchanges, Peer } from '../../harness/target.js';
import { at, post } from '../shared/graphql-exchange.js';
import { startOf } from '../shared/start.js';

export const peer: Peer = {
  name: 'TypeGraphQL, naive resolvers',
  protocol: 'GraphQL',
  start: startOf('type-graphql', 'app'),
  requests,
};

const customer = 'id name email city country tier active credit tags profile created_at';
const stock = 'id sku quantity price updated_at';

const documents = {
  W1: `query ($id: Int!) { customer(id: $id) { ${customer} } }`,
  W2: `query ($country: String!) { customers(country: $country, limit: 30) { ${customer} } }`,
  W3: `{
    customers(limit: 10) {
      id
      name
      orders(limit: 10) {
        id
        total
        status
        items(limit: 3) { id product quantity price }
      }
    }
  }`,
  W4: `mutation ($payment: PaymentInput!) {
    createPayment(payment: $payment) { id order_id method amount reference paid_at }
  }`,
  W4b: 'mutation ($payments: [PaymentInput!]!) { createPayments(payments: $payments) }',
  W4c: `mutation ($id: Int!, $quantity: Int!) { updateStock(id: $id, quantity: $quantity) { ${stock} } }`,
  W4d: `mutation ($stock: StockInput!) { putStock(stock: $stock) { ${stock} } }`,
  W5: 'query ($warehouse: Int!) { orderTotals(warehouse: $warehouse) { count sum } }',
  W6: `{ customers(limit: 1000) { ${customer} } }`,
  W7: '{ documents(status: "open", limit: 30) { id owner title body status created_at } }',
};

function requests({ token }: Data): Exchanges {
  return {
    W1: { request: (input) => post(documents.W1, input), rows: at('customer') },
    W2: { request: (input) => post(documents.W2, input), rows: at('customers') },
    W3: { request: () => post(documents.W3), rows: at('customers') },
    W4: { request: (input) => post(documents.W4, input), rows: at('createPayment') },
    W4b: { request: (input) => post(documents.W4b, input), rows: at('createPayments') },
    W4c: { request: (input) => post(documents.W4c, input), rows: at('updateStock') },
    W4d: { request: (input) => post(documents.W4d, input), rows: at('putStock') },
    W5: { request: (input) => post(documents.W5, input), rows: at('orderTotals') },
    W6: { request: () => post(documents.W6), rows: at('customers') },
    W7: { request: () => post(documents.W7, {}, { authorization: `Bearer ${token}` }), rows: at('documents') },
  };
}
