import { describeWhere } from './describe-where.js';

/** `describe` for a suite that starts a MariaDB of its own. */
export const describeOwnMariadb = describeWhere('mariadbd');
