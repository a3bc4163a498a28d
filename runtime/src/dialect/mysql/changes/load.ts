import type ZongJi from '@vlasky/zongji';
import { FeedObstacle } from '../../feed-session.js';

/** The package that reads the binary log. Projects without subscriptions do not install it. */
export async function loadReader(): Promise<typeof ZongJi> {
  try {
    return (await import('@vlasky/zongji')).default;
  } catch {
    throw new FeedObstacle(
      'The package @vlasky/zongji, which reads the binary log, is not installed.',
      'Install it in the project: npm install @vlasky/zongji',
    );
  }
}
