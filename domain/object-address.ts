/** The address of a place in an object store: `s3://bucket/prefix`. */

export const isObjectAddress = (text: string): boolean => text.startsWith('s3://')

/** Other characters have a meaning in an address, such as a query or a pattern. */
const S3_NAMES = /^s3:\/\/[\w.~+=@/-]+$/

/** Names the fault of an address; undefined if there is none. */
export function objectAddressFault(address: string): string | undefined {
  if (!/^s3:\/\/[^/]+\/[^/]/.test(address)) return 'is not an address such as s3://bucket/prefix'
  if (!S3_NAMES.test(address)) return 'may hold only letters, digits and - _ . ~ + = @ /'
  return undefined
}

/** Names the fault of an address below which packs lie. A part such as `..` could lead out of it. */
export function packAddressFault(address: string): string | undefined {
  const fault = objectAddressFault(address)
  if (fault !== undefined) return fault
  const parts = withoutSlash(address).slice('s3://'.length).split('/')
  return parts.some((part) => ['', '.', '..'].includes(part))
    ? 'has an empty part, or a part such as ..'
    : undefined
}

export const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** The bucket, and the key without a slash at its end. */
export function bucketAndKey(address: string): { bucket: string; key: string } {
  const [bucket = '', ...key] = withoutSlash(address).slice('s3://'.length).split('/')
  return { bucket, key: key.join('/') }
}
