import { withWholeVolume } from '../../../support/volume.js';

await withWholeVolume(() => import('./differential.slow.test.js'));
