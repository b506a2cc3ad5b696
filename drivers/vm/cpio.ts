/** A file of an archive; folders are made for it. */
export interface ArchiveFile {
  /** Path without a leading slash. */
  readonly path: string;
  readonly data: Buffer;
  readonly executable?: boolean;
}

const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;

/** An archive in the format that the kernel unpacks as initramfs: cpio, "newc". */
export function cpio(files: readonly ArchiveFile[]): Buffer {
  const folders = new Set(files.flatMap(({ path }) => parents(path)));
  const entries = [
    ...[...folders].sort().map((path) => ({ path, mode: S_IFDIR | 0o755, data: Buffer.alloc(0) })),
    ...files.map(({ path, data, executable }) => ({ path, mode: S_IFREG | (executable ? 0o755 : 0o644), data })),
    { path: 'TRAILER!!!', mode: 0, data: Buffer.alloc(0) },
  ];
  return Buffer.concat(entries.flatMap(({ path, mode, data }, index) => entry(index + 1, path, mode, data)));
}

function entry(inode: number, path: string, mode: number, data: Buffer): Buffer[] {
  const name = Buffer.from(`${path}\0`);
  const [uid, gid, links, time, major, minor, check] = [0, 0, 1, 0, 0, 0, 0];
  const fields = [inode, mode, uid, gid, links, time, data.length, major, minor, major, minor, name.length, check];
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`);
  return [header, name, padding(header.length + name.length), data, padding(data.length)];
}

/** Name and data each end at a multiple of four bytes. */
function padding(length: number): Buffer {
  return Buffer.alloc(-length & 3);
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
