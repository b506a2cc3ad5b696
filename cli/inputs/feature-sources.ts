import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../drivers/contract';
import { featureSource, type FeatureSource } from '../../reports/spec-book/gherkin-source';
import { root } from '../common/project';
import { readFeatures } from './features';

/** All features as their files have them. @throws {@link HarnessError} at the first that cannot be read */
export function featureSources(): FeatureSource[] {
  return readFeatures().map(({ uri, document, problem }) => {
    if (document?.feature === undefined) {
      const why = problem === undefined ? 'it is empty' : problem.text;
      throw new HarnessError(`${uri} cannot be read: ${why}`, 'see `verbspec rules --check`');
    }
    return featureSource(uri, readFileSync(join(root, uri), 'utf8'), document.feature);
  });
}
