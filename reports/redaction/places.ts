/** Folders of this machine whose paths show who works on it. */
export interface Folders {
  /** Paths below it are shown from there. */
  readonly project?: string;
  /** Becomes `~`. */
  readonly home?: string;
}

const foreignHome = /(?<![\w.~-]|[\w-]\/)(\/(?:home|Users)\/|(?<=\.\.\/)(?:home|Users)\/)([a-z_][\w.+-]*)/gi;
const userInfo = /(?<=:\/\/)[^/\s"'<>@]*@/g;
const secretParameter = /(?<=[?&;][\w-]*(?:token|secret|passw(?:or)?d|signature|sig|key)=)[^&\s"'<>]+/gi;

/** A text without the folders in which this machine's user works. */
export function replaceFolders(text: string, { project, home }: Folders, user: (name: string) => string): string {
  const own = [
    ...(project === undefined ? [] : ([[project, '']] as const)),
    ...(home === undefined ? [] : ([[home, '~']] as const)),
  ].filter(([folder]) => folder.length > 1);
  const known = own.reduce((shorter, [folder, stand]) => replaceFolder(shorter, folder, stand), text);
  return known.replace(foreignHome, (_found, folder: string, name: string) => `${folder}${user(name)}`);
}

/** A folder of another name is none, though it begins alike. */
function replaceFolder(text: string, folder: string, stand: string): string {
  const parts = text.split(folder);
  return parts.reduce((before, after) => {
    if (/[\w.~-]/.test(before.slice(-1)) || /^[\w-]/.test(after)) return before + folder + after;
    if (stand !== '') return before + stand + after;
    return before + (after.startsWith('/') ? after.slice(1) : `.${after}`);
  });
}

/** A text whose URLs carry nobody's credentials. */
export function replaceCredentials(text: string): string {
  return text.replace(userInfo, '').replace(secretParameter, '…');
}
