import { withWholeVolume } from '../support/volume.js';

await withWholeVolume(() => import('./leaks.test.js'));
