/** Addresses of this machine and of private networks. */
import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Address ranges of this machine, of private networks, and reserved ones. */
const inside = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
] as const)
  inside.addSubnet(net, prefix, 'ipv6');

/**
 * Returns whether an IP address (not a name) belongs to this machine or a private network, in any
 * notation.
 */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address);
  if (mapped) {
    const [, dotted, high = '0', low = '0'] = mapped;
    const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
    return isInside(dotted ?? [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.'));
  }
  const version = isIP(address);
  return version !== 0 && inside.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Resolves a host name, and fails if any address is internal. The connection uses the addresses
 * that were checked.
 */
export const outsideOnly: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    const bad = error ? undefined : addresses.find(({ address }) => isInside(address));
    const failure =
      error ??
      (bad || addresses.length === 0
        ? Object.assign(new Error(`${hostname} is this machine or in a private network`), {
            code: 'EINSIDE',
          })
        : null);
    if (failure) callback(failure, []);
    else if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  });
};
