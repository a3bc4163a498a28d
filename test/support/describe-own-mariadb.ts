import { describeWhere } from './describe-where.js';
import { hasMariadb } from './own-mariadb.js';

/** `describe` for a suite that starts a MariaDB of its own. */
export const describeOwnMariadb = describeWhere(hasMariadb, 'the programs of MariaDB (apt-get install mariadb-server)');
