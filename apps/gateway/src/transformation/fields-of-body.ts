import { hash } from 'node:crypto'
import { without } from './changed-fields.ts'

/** What is true of the client's body alone (RFC 9530, RFC 9110 §8.4, RFC 1864). */
const ofOtherBody = ['content-type', 'content-encoding', 'repr-digest', 'digest', 'content-md5']
const digestName = 'content-digest'

/**
 * The header fields of a request whose body was changed: a digest of the content is computed again where the client
 * sent one, and a signature over it (RFC 9421) is left out.
 */
export function fieldsOfBody(
  given: readonly string[],
  bytes: Buffer,
  contentType: string,
): string[] {
  let fields = ofOtherBody.reduce(without, [...given])
  if (isDigestSigned(fields)) fields = without(without(fields, 'signature'), 'signature-input')
  const others = without(fields, digestName)
  const hadDigest = others.length < fields.length
  others.push('Content-Type', contentType)
  if (hadDigest) others.push('Content-Digest', `sha-256=:${hash('sha256', bytes, 'base64')}:`)
  return others
}

function isDigestSigned(fields: readonly string[]): boolean {
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (fields[at]?.toLowerCase() === 'signature-input' && fields[at + 1]?.includes(digestName))
      return true
  return false
}
