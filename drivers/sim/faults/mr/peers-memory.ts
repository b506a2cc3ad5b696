import type { Fault } from '../fault';
import { MemoryTable, type Mr, type RemoteAccess } from '../../mr/memory';
import type { Mw } from '../../mw/memory-window';
import type { Qp } from '../../qp/qp';
import { Transmitter } from '../../qp/transmitter';
import type { SendRequest } from '../../qp/work-request';

type Reach = Parameters<MemoryTable['remote']>;
type Reached = ReturnType<MemoryTable['remote']>;

const rights: readonly RemoteAccess[] = [
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];

const page = 'ibv_poll_cq';

/** Planted faults in what a message may do with the memory of the peer. */
export const faults: Readonly<Record<string, Fault>> = {
  'last-byte-alone-is-looked-at': {
    rules: [`${page}.error-valid-status`],
    effect: 'a peer may write before memory or a window, if only the last byte lies within',
    parts: {
      MemoryTable: class extends MemoryTable {
        override remote(...reach: Reach): Reached {
          const [qp, rkey, addr, length, access] = reach;
          return super.remote(...reach) ?? super.remote(qp, rkey, addr + BigInt(length - 1), 1, access);
        }
      },
    },
  },
  'first-byte-alone-is-looked-at': {
    rules: [`${page}.error-valid-status`],
    effect: 'a peer may write beyond memory or a window, if only the first byte lies within',
    parts: {
      MemoryTable: class extends MemoryTable {
        override remote(...reach: Reach): Reached {
          const [qp, rkey, addr, , access] = reach;
          return super.remote(...reach) ?? super.remote(qp, rkey, addr, 1, access);
        }
      },
    },
  },
  'pd-is-not-looked-at': {
    rules: [`${page}.error-valid-status`],
    effect: 'a peer may write memory of a PD that is not that of the QP',
    parts: {
      MemoryTable: class extends MemoryTable {
        readonly #mrs = new Map<number, Mr>();

        override register(...args: Parameters<MemoryTable['register']>): Mr {
          const mr = super.register(...args);
          this.#mrs.set(mr.key, mr);
          return mr;
        }

        override deregister(mr: Mr): void {
          super.deregister(mr);
          this.#mrs.delete(mr.key);
        }

        override remote(...reach: Reach): Reached {
          const [, rkey, addr, length, access] = reach;
          const mr = this.#mrs.get(rkey);
          return super.remote(...reach) ?? (mr?.access.has(access) ? mr.slice(addr, length) : undefined);
        }
      },
    },
  },
  'keys-outlive-registration': {
    rules: [`${page}.error-valid-status`],
    effect: 'the keys of memory go on working after its registration has ended',
    parts: {
      MemoryTable: class extends MemoryTable {
        override deregister(): void {
          // The table keeps the region.
        }
      },
    },
  },
  'keys-outlive-windows': {
    rules: [`${page}.error-valid-status`],
    effect: 'the R_Key of a window goes on working after the window was deallocated',
    parts: {
      MemoryTable: class extends MemoryTable {
        override deallocateWindow(): void {
          // The table keeps the window.
        }
      },
    },
  },
  'any-right-opens-window': {
    rules: [`${page}.error-valid-status`],
    effect: 'a window that may be read may be written',
    parts: {
      MemoryTable: class extends MemoryTable {
        override remote(...reach: Reach): Reached {
          const [qp, rkey, addr, length] = reach;
          const window = this.boundWindow(qp, rkey);
          const shown = rights.map((right) => window?.slice(addr, length, right));
          return super.remote(...reach) ?? shown.find((bytes) => bytes !== undefined);
        }
      },
    },
  },
  'window-shows-all': {
    rules: [`${page}.error-valid-status`],
    effect: 'a window on a part of memory shows all of it',
    parts: {
      Transmitter: class extends Transmitter {
        protected override performLocally(wr: SendRequest): ReturnType<Transmitter['performLocally']> {
          const { bindMw } = wr;
          if (bindMw === undefined) return super.performLocally(wr);
          const { addr, memory } = bindMw.mr;
          return super.performLocally({ ...wr, bindMw: { ...bindMw, addr, length: memory.length } });
        }
      },
    },
  },
  'window-has-all-its-keys': {
    rules: [`${page}.error-valid-status`],
    effect: 'a window can be used by an R_Key that it had before it was bound',
    parts: {
      /** The low byte of an R_Key, which the owner of a window chooses, is left out of the comparison. */
      MemoryTable: class extends MemoryTable {
        override boundWindow(qp: Qp, rkey: number): Mw | undefined {
          const rest = rkey - (rkey % 0x100);
          const keys = [rkey, ...Array.from({ length: 0x100 }, (_, low) => rest + low)];
          return keys.map((key) => super.boundWindow(qp, key)).find((window) => window !== undefined);
        }
      },
    },
  },
  'window-belongs-to-all-qps': {
    rules: [`${page}.error-valid-status`],
    effect: 'a window can be used through other QPs than the one that bound it',
    parts: {
      MemoryTable: class extends MemoryTable {
        readonly #windows: Mw[] = [];

        override allocateWindow(...args: Parameters<MemoryTable['allocateWindow']>): Mw {
          const window = super.allocateWindow(...args);
          this.#windows.push(window);
          return window;
        }

        override boundWindow(qp: Qp, rkey: number): Mw | undefined {
          return super.boundWindow(qp, rkey) ?? this.#windows.find((window) => window.rkey === rkey);
        }
      },
    },
  },
  'window-begins-with-its-memory': {
    rules: [`${page}.field-status`],
    effect: 'what goes through a window on a part of memory goes to the beginning of the memory',
    parts: {
      MemoryTable: class extends MemoryTable {
        override remote(...reach: Reach): Reached {
          const [qp, rkey] = reach;
          const bytes = super.remote(...reach);
          const isWindow = this.boundWindow(qp, rkey) !== undefined;
          return bytes && isWindow ? new Uint8Array(bytes.buffer, 0, bytes.length) : bytes;
        }
      },
    },
  },
};
