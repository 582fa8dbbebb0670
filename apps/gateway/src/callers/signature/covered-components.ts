import type { ReadSignature } from './read-signature.ts'
import { signatureBase } from './signature-base.ts'

/** What of a request may be signed. */
interface Signed {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly host: string
  /** As proxies that are trusted say; else blank. */
  readonly forwardedHost: string
  readonly forwardedProto: string
  readonly connection: { readonly isSecure: boolean }
}

/** Which components a signature has to cover and may cover: what is wrong with it, for its client; null: nothing. */
export function coverageProblem(components: readonly string[], hasBody: boolean): string | null {
  const covered = new Set(components)
  if (covered.size < components.length) return 'The signature covers a component twice.'
  const isUri = covered.has('@target-uri')
  const known = new Set([
    '@method',
    'content-digest',
    ...(isUri ? ['@target-uri'] : ['@path', '@query']),
  ])
  const other = components.find((each) => !known.has(each))
  if (other !== undefined) return `The signature covers ${other}, which is not accepted here.`
  if (!hasBody) known.delete('content-digest')
  const missing = [...known].find((each) => !covered.has(each))
  return missing === undefined ? null : `The signature does not cover ${missing}.`
}

/** The signature base of a request, as it came to the first proxy that is trusted. */
export function baseOf(
  signed: Signed,
  { components, params }: ReadSignature,
  digest: string,
): string {
  const values: Record<string, string> = {
    '@method': signed.method,
    '@path': signed.path,
    '@query': signed.query === '' ? '?' : signed.query,
    'content-digest': digest,
  }
  if (components.includes('@target-uri')) values['@target-uri'] = targetUri(signed)
  return signatureBase(
    components.map((name) => [name, values[name] ?? ''] as const),
    params,
  )
}

function targetUri(signed: Signed): string {
  const { path, query, forwardedProto, forwardedHost, host, connection } = signed
  const scheme = forwardedProto.toLowerCase() || (connection.isSecure ? 'https' : 'http')
  const port = scheme === 'https' ? ':443' : ':80'
  const authority = (forwardedHost || host).toLowerCase()
  const named = authority.endsWith(port) ? authority.slice(0, -port.length) : authority
  return `${scheme}://${named}${path}${query}`
}
