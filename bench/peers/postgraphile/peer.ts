import type { Data, Exchanges, Peer } from '../../harness/target.js';
import { at, post } from '../shared/graphql-exchange.js';
import { startOf } from '../shared/start.js';

export const peer: Peer = {
  name: 'PostGraphile 5',
  protocol: 'GraphQL',
  start: startOf('postgraphile', 'app'),
  requests,
};

// Relay's global identifier takes the name `id`, so the column `id` is called `rowId`.
const customer = 'id: rowId name email city country tier active credit tags profile createdAt';
const stock = 'id: rowId sku quantity price updatedAt';

const documents = {
  W1: `query ($id: Int!) { customer: customerByRowId(rowId: $id) { ${customer} } }`,
  W2: `query ($country: String!) {
    customers: allCustomersList(condition: { country: $country }, orderBy: ROW_ID_ASC, first: 30) { ${customer} }
  }`,
  W3: `{
    customers: allCustomersList(orderBy: ROW_ID_ASC, first: 10) {
      id: rowId
      name
      orders: ordersByCustomerIdList(orderBy: ROW_ID_ASC, first: 10) {
        id: rowId
        total
        status
        items: itemsByOrderIdList(orderBy: ROW_ID_ASC, first: 3) { id: rowId product quantity price }
      }
    }
  }`,
  W4: `mutation ($payment: PaymentInput!) {
    createPayment(input: { payment: $payment }) { payment { id: rowId orderId method amount reference paidAt } }
  }`,
  W4c: `mutation ($id: Int!, $quantity: Int!) {
    updateStockByRowId(input: { rowId: $id, stockPatch: { quantity: $quantity } }) { stock { ${stock} } }
  }`,
  W5: `query ($warehouse: Int!) {
    orders: allOrders(condition: { warehouse: $warehouse }) { totalCount aggregates { sum { total } } }
  }`,
  W6: `{ customers: allCustomersList(orderBy: ROW_ID_ASC, first: 1000) { ${customer} } }`,
  W7: `{
    documents: allDocumentsList(condition: { status: "open" }, orderBy: ROW_ID_DESC, first: 30) {
      id: rowId owner title body status createdAt
    }
  }`,
};

function requests({ token }: Data): Exchanges {
  return {
    W1: { request: (input) => post(documents.W1, input), rows: at('customer') },
    W2: { request: (input) => post(documents.W2, input), rows: at('customers') },
    W3: { request: () => post(documents.W3), rows: at('customers') },
    W4: {
      request: ({ payment: { order_id, method, amount, reference, paid_at } }) =>
        post(documents.W4, { payment: { orderId: order_id, method: method, amount, reference, paidAt: paid_at } }),
      rows: at('createPayment', 'payment'),
    },
    W4c: { request: (input) => post(documents.W4c, input), rows: at('updateStockByRowId', 'stock') },
    W5: {
      request: (input) => post(documents.W5, input),
      rows: (body) => {
        const { totalCount, aggregates } = at('orders')(body) as {
          totalCount: number;
          aggregates: { sum: { total: string } };
        };
        return { count: totalCount, sum: aggregates.sum.total };
      },
    },
    W6: { request: () => post(documents.W6), rows: at('customers') },
    W7: { request: () => post(documents.W7, {}, { authorization: `Bearer ${token}` }), rows: at('documents') },
  };
}
