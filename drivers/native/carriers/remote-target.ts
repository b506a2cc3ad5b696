import { isIPv6 } from 'node:net';
import { UsageError } from '../../contract';

/** Where `--host` says that the device is. */
export interface RemoteTarget {
  /** `USER@HOST` or `HOST`, as ssh takes it. */
  readonly destination: string;
  /** Folder of verbspec there, absolute or below the user's home. */
  readonly folder: string;
}

const user = '[A-Za-z_][A-Za-z0-9._-]*';
/** A name, an IPv4 address, or an IPv6 address in brackets. */
const host = String.raw`[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:]+(?:%[A-Za-z0-9._-]+)?\]`;
/** The folder becomes a part of the command that the user's shell there reads: nothing in it means anything to a shell. */
const part = '[A-Za-z0-9._+][A-Za-z0-9._+-]*';
const folder = `(?:~/|/)?${part}(?:/${part})*/?`;
const pattern = new RegExp(`^(?<destination>(?:${user}@)?(?:${host}))(?::(?<folder>${folder}))?$`);

const defaultFolder = 'verbspec';

/** Reads `[USER@]HOST[:PATH]`. @throws UsageError for all else, above all for what a shell or ssh could take otherwise */
export function remoteTargetOf(text: string): RemoteTarget {
  const groups = pattern.exec(text)?.groups;
  const address = /\[(.*)\]/.exec(groups?.destination ?? '')?.[1];
  if (groups === undefined || (address !== undefined && !isIPv6(address))) {
    throw new UsageError(
      `--host ${JSON.stringify(text)} is not USER@HOST or USER@HOST:PATH`,
      'PATH is the folder of verbspec there, of letters, digits and . _ + - / alone',
    );
  }
  const { destination = '', folder = defaultFolder } = groups;
  // A command that ssh runs begins in the user's home.
  return { destination: destination.replace(/[[\]]/g, ''), folder: folder.replace(/^~\//, '').replace(/\/$/, '') };
}
