import { dutName } from '../../../../programs/bindings';
import { questionAboutDevice } from '../../questions';
import { member, of, type Walk } from '../../walk';

/** Asks of one device in several contexts. */
export async function askInContexts(w: Walk): Promise<void> {
  const other = w.name('ctx');
  await w.call('ibv_open_device', { device: member(dutName, 'name') }, other);
  for (let asked = w.chance.between(4, 8); asked > 0; asked--)
    await w.perform(questionAboutDevice(w.chance, w.chance.one(w.context, other)));
  await w.call('ibv_close_device', { context: of(other) });
}
