/**
 * W3 in the form of Prisma's and ZenStack's clients: ten customers, their orders, and the items of
 * these orders.
 */
export const threeLevels = {
  orderBy: { id: 'asc' },
  take: 10,
  select: {
    id: true,
    name: true,
    orders: {
      orderBy: { id: 'asc' },
      take: 10,
      select: {
        id: true,
        total: true,
        status: true,
        items: {
          orderBy: { id: 'asc' },
          take: 3,
          select: { id: true, product: true, quantity: true, price: true },
        },
      },
    },
  },
};
