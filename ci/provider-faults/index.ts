import { completionFaults } from './completions';
import { cqFaults } from './cqs';
import { eventFaults } from './events';
import type { ProviderFaults } from './fault';
import { notifyFaults } from './notify';

export type { ProviderFault } from './fault';

/** The planted faults by name. */
export const providerFaults: ProviderFaults = { ...notifyFaults, ...eventFaults, ...completionFaults, ...cqFaults };
