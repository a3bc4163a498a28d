import { withWholeVolume } from '../../support/volume.js';

await withWholeVolume(() => import('./apply.test.js'));
