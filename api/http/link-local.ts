/**
 * Addresses of one network segment, at which clouds keep secrets, and the other addresses of their metadata services.
 * Neither a service nor a webhook may have one.
 */
import dns from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { Failure } from '../../domain/failure.ts'

/** An address of the first kind is also found in the form of the second, such as `::ffff:169.254.1.1`. */
const LINK_LOCAL = new BlockList()
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4')
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6')
// The same addresses of version 4 behind a translator (RFC 6052).
LINK_LOCAL.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')
// The metadata services that AWS and Google document for version 6, and that of Alibaba Cloud.
LINK_LOCAL.addSubnet('fd00:ec2::', 32, 'ipv6')
LINK_LOCAL.addAddress('fd20:ce::254', 'ipv6')
LINK_LOCAL.addAddress('100.100.100.200', 'ipv4')

/** True for a literal address, with or without the brackets of a URL. False for a name. */
export function isLinkLocal(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return LINK_LOCAL.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The failure for such an address. `name` is the setting that has it, and no message repeats the address. */
export function linkLocalFailure(name: string, what: string, remedy?: string): Failure {
  const text = `${name} ${what} a link-local address, at which clouds keep secrets`
  return new Failure('config_invalid', text, { remedy })
}

/**
 * Resolves names for connections, and refuses with this failure a name of which any address is link-local. The check
 * stands here because the answer for a name may change between a check and the connection.
 */
export const lookupExceptLinkLocal =
  (refusal: Failure): LookupFunction =>
  (host, options, done) => {
    dns.lookup(host, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found]
      if (error === null && addresses.some(isLinkLocal)) done(refusal, '')
      else done(error, found, family)
    })
  }
