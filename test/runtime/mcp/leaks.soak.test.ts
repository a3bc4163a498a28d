import { withWholeVolume } from '../../support/volume.js';

await withWholeVolume(() => import('./leaks.slow.test.js'));
