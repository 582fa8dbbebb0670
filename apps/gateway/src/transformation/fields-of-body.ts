import { hash } from 'node:crypto'
import { without } from './changed-fields.ts'

const digestName = 'content-digest'
/** What is true of the client's body alone (RFC 9530, RFC 9110 §8.4, RFC 1864). */
const ofOtherBody = ['content-type', 'content-encoding', 'repr-digest', 'digest', 'content-md5']

/** Components of a signature (RFC 9421) that change with the body. */
export const componentsOfBody = [...ofOtherBody, digestName, 'content-length']

/** The header fields of a request whose body was changed: a digest of the content is computed again where the client sent one. */
export function fieldsOfBody(
  given: readonly string[],
  bytes: Buffer,
  contentType: string,
): string[] {
  const fields = ofOtherBody.reduce(without, [...given])
  const others = without(fields, digestName)
  const hadDigest = others.length < fields.length
  others.push('Content-Type', contentType)
  if (hadDigest) others.push('Content-Digest', `sha-256=:${hash('sha256', bytes, 'base64')}:`)
  return others
}
