import { withWholeVolume } from '../../support/volume.js';

await withWholeVolume(() => import('./fuzz.test.js'));
