import { withWholeVolume } from '../../../support/volume.js';

await withWholeVolume(() => import('./differential.test.js'));
