import {
  bytesOfGroups,
  bytesOfGuid,
  bytesOfHex,
  bytesOfIpv4,
  bytesOfIpv6,
  ipv4OfGid,
  ipv4OfTail,
  type Bytes,
} from './addresses';
import type { PseudonymKind } from './pseudonyms';

/** Decides what stands for something that looks like an address. */
export type Hide = (kind: PseudonymKind, bytes: Bytes, found: string) => string;

const fullGid = /(?<![0-9a-f])[0-9a-f]{4}(?::[0-9a-f]{4}){7,}(?![0-9a-f])/gi;
/** MAC addresses, and longer ones, as of IPoIB. */
const bytePairs =
  /(?<![0-9a-f])[0-9a-f]{2}(?:(?::[0-9a-f]{2}){5,}|(?:-[0-9a-f]{2}){7}|(?:-[0-9a-f]{2}){5})(?![0-9a-f])/gi;
/** As Cisco's switches write MAC addresses and GUIDs; digits alone may be a version. */
const dotted =
  /(?<![\w.])(?=[0-9.]*[a-f])[0-9a-f]{4}(?:(?:\.[0-9a-f]{4}){3}|(?:\.[0-9a-f]{4}){2})(?![\w]|\.[0-9a-z])/gi;
/** What may be an IPv6 address: groups and colons, and at its end perhaps an IPv4 address. */
const ipv6Like = /(?<![0-9a-z_])(?:[0-9a-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})(?![0-9a-z_])/gi;
/** A GUID byte by byte without leading zeros, though it could be an IPv6 address too. */
const eightBytes = /^[0-9a-f]{1,2}(?::[0-9a-f]{1,2}){7}$/i;
const guid = /(?<![0-9a-f])[0-9a-f]{4}(?::[0-9a-f]{4}){3}(?![0-9a-f])/gi;
const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
/** Not within a longer number, nor after a name, as in `libibverbs.so.1.14.44.0`. */
const ipv4 = new RegExp(`(?<![\\w.-])(?:${octet}\\.){3}${octet}(?![\\w-]|\\.\\d)`, 'g');
/** Four numbers and three dots may be a version too. */
const beforeVersion = /(?:version|firmware|fw|fw_?ver|release|rdma-core|kernel|driver)["']?[\s:=]*["']?$/i;

/** Names that systemd and rdma-core make of an address: `enx…`, `rocex…`, `ibx…`, `rocep3s0x…`. */
const named = /(?<=\b(?:en|ib|wl|ww|roce|iw|opa)[a-z0-9]{0,16}x)(?:[0-9a-f]{16}|[0-9a-f]{12})(?![0-9a-z])/gi;
const between = '["\'\\]]{0,2}[\\s:=#(]{1,4}["\'(]?(?:is |of |=> ?)?';
/** A number at a word that says what it is; leading zeros may be missing. */
const numberOfGuid = new RegExp(
  `(?<=(?:guid|(?<![a-z])eui-?64)s?${between})(?:0x)?(?=[0-9a-f]{9,16}(?![0-9a-z]))[0-9a-f]+`,
  'gi',
);
const groupsOfGuid = new RegExp(
  `(?<=(?:guid|(?<![a-z])eui-?64)s?${between})(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}|[0-9a-f]{1,2}(?::[0-9a-f]{1,2}){7})(?!:?[0-9a-f])`,
  'gi',
);
/** Where a kernel's pointer (`0xffff…`) may stand, or another number: only one as long as a GUID is taken for one. */
const numberOfNode = new RegExp(
  `(?<=(?<![a-z])(?:node|port|sys(?:tem)?[ _-]?image|switch|hca|peer|remote|sm|neighbou?r)(?:[ _]?id)?${between})(?!0xffff)0x[0-9a-f]{13,16}(?![0-9a-z])`,
  'gi',
);
const numberOfMac = new RegExp(
  `(?<=(?<![a-z])(?:d|s|src|dst|peer|l2|perm)?[ _]?(?:mac|ether|lladdr|hw[ _]?addr(?:ess)?)(?:[ _]?addr(?:ess)?)?${between})(?:0x)?[0-9a-f]{12}(?![0-9a-z])`,
  'gi',
);

/** A text in which what looks like an address is replaced, whoever's it is. */
export function replaceUnknown(text: string, hide: Hide): string {
  return text
    .replace(fullGid, (found) => hide('gid', bytesOfHex(found), found))
    .replace(groupsOfGuid, (found) => hideGroups(found, hide))
    .replace(bytePairs, (found) => hidePairs(found, hide))
    .replace(dotted, (found) => hidePairs(found, hide))
    .replace(ipv6Like, (found) => hideIpv6(found, hide))
    .replace(guid, (found) => hideGuid(found, hide))
    .replace(named, (found) => hidePairs(found, hide))
    .replace(numberOfGuid, (found) => hide('guid', bytesOfGuid(found), found))
    .replace(numberOfNode, (found) => hide('guid', bytesOfGuid(found), found))
    .replace(numberOfMac, (found) => hide('mac', bytesOfHex(found), found))
    .replace(ipv4, (found, at: number, whole: string) =>
      beforeVersion.test(whole.slice(Math.max(0, at - 24), at)) ? found : hide('ip', bytesOfIpv4(found), found),
    );
}

function hidePairs(found: string, hide: Hide): string {
  const bytes = bytesOfHex(found);
  return hide(bytes.length === 8 ? 'guid' : 'mac', bytes, found);
}

/** Eight bytes or four groups, each without leading zeros. */
function hideGroups(found: string, hide: Hide): string {
  return hide('guid', bytesOfGroups(found, found.split(':').length === 8 ? 2 : 4), found);
}

function hideGuid(found: string, hide: Hide): string {
  const bytes = bytesOfHex(found);
  const address = ipv4OfTail(bytes);
  return address === undefined ? hide('guid', bytes, found) : hide('ip', address, found);
}

/** A colon after an address is punctuation, and what is in front may be a word. */
function hideIpv6(found: string, hide: Hide): string {
  const address = found.replace(/(?<!:):$/, '');
  if (eightBytes.test(address)) return hideGroups(address, hide) + found.slice(address.length);
  const bytes = bytesOfIpv6(address);
  if (bytes !== undefined) {
    const mapped = ipv4OfGid(bytes);
    const hidden = mapped === undefined ? hide('ip', bytes, address) : hide('ip', mapped, address);
    return hidden + found.slice(address.length);
  }
  const [word = ''] = /^[0-9a-f]*:(?=.*:)/i.exec(found) ?? [];
  return word === '' ? found : word + hideIpv6(found.slice(word.length), hide);
}
