import { withWholeVolume } from '../../support/volume.js';

await withWholeVolume(() => import('./by-chance.test.js'));
