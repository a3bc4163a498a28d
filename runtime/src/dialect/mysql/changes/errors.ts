import type { FeedErrors } from '../../feed-session.js';
import { databaseErrorFields } from '../failures/fields.js';
import { outageOf } from '../failures/outage.js';

/** What errors of MariaDB mean for its feed. */
export const feedErrors: FeedErrors = {
  outage: outageOf,
  hint: (error) => {
    switch (databaseErrorFields(error)?.number) {
      case 1044:
      case 1045:
      case 1142:
      case 1227:
        return 'The user of app.changes.url needs REPLICATION SLAVE and BINLOG MONITOR: `npx tablewright changes --sql` prints the SQL.';
      case 1236:
        return 'The database no longer has the next part of its binary log. The feed begins again at the end of the log.';
      default:
        return undefined;
    }
  },
};
