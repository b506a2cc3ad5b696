import { callersOf, onPage, type ProviderFaults } from './fault';

const create = (...slugs: readonly string[]): readonly string[] => onPage('ibv_create_cq', ...slugs);
const createEx = (...slugs: readonly string[]): readonly string[] => onPage('ibv_create_cq_ex', ...slugs);
const channel = (...slugs: readonly string[]): readonly string[] => onPage('ibv_create_comp_channel', ...slugs);
const resize = (...slugs: readonly string[]): readonly string[] => onPage('ibv_resize_cq', ...slugs);
const creating = ['ibv_create_cq', 'ibv_create_cq_ex'] as const;
const resizing = ['ibv_resize_cq'] as const;
const refused = /"returned":[1-9]/;

/** A provider that makes, changes and destroys CQs and channels as the pages do not say. */
export const cqFaults: ProviderFaults = {
  'small-cq-is-too-small': {
    effect: 'a CQ of less than 8 entries has fewer than were asked for',
    exposes: callersOf(creating, /"cqe":[2-7],/),
    rules: [...create('min-size'), ...createEx('attr-cqe')],
  },
  'vector-wraps-around': {
    effect: 'a completion vector that the device lacks is taken for another',
    exposes: callersOf(creating, /"compVector":[1-9]/),
    rules: [...create('vector-upper-bound'), ...createEx('attr-comp-vector')],
  },
  'cq-context-has-32-bits': {
    effect: 'the user context of a CQ loses its upper half',
    exposes: callersOf(creating, /"cqContext":"0x[0-9a-f]{9}/),
    rules: [...create('cq-context-stored'), ...createEx('attr-cq-context')],
  },
  'destroy-negates-errno': {
    effect: 'destroying a CQ that is in use returns the negated errno',
    exposes: callersOf(['ibv_destroy_cq'], refused),
    rules: create('destroy-returns-errno'),
  },
  'busy-channel-gives-minus-one': {
    effect: 'destroying a channel with a CQ returns -1 and leaves the number in errno',
    exposes: callersOf(['ibv_destroy_comp_channel'], refused),
    rules: channel('destroy-returns-errno'),
  },
  'resize-does-nothing': {
    effect: 'a resize returns 0 and leaves the CQ as it is',
    exposes: callersOf(resizing),
    rules: resize('at-least-requested'),
  },
  'resize-loses-the-backlog': {
    effect: 'a resize loses the CQEs that wait in the CQ',
    exposes: callersOf(resizing),
    rules: resize('keeps-backlog', 'not-below-backlog'),
  },
  'resize-loses-what-does-not-fit': {
    effect: 'a resize below the backlog loses what does not fit',
    exposes: callersOf(resizing),
    rules: resize('not-below-backlog'),
  },
  'resize-negates-errno': {
    effect: 'a resize that fails returns the negated errno',
    exposes: callersOf(resizing, refused),
    rules: resize('returns-errno'),
  },
  'modify-returns-minus-one': {
    effect: 'ibv_modify_cq() returns -1 and leaves the number in errno',
    exposes: callersOf(['ibv_modify_cq']),
    rules: onPage('ibv_modify_cq', 'returns-errno'),
  },
};
