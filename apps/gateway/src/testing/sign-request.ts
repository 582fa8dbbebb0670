import { createHash, createHmac } from 'node:crypto'

/** A request as its client signs it, with what a test makes wrong. */
export interface ToSign {
  method?: string
  /** Path and query. */
  target: string
  body?: string
  secret: string
  keyId?: string
  created?: number
  nonce?: string | null
  alg?: string
  /** In the order in which they are signed. */
  components?: readonly string[]
  label?: string
  origin?: string
}

export const digestField = (body: string) =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

let nonces = 0

/**
 * The header fields of a signed request, as a client would make them that knows RFC 9421 and none of our code.
 */
export function signRequest(given: ToSign): Record<string, string> {
  const { method = 'GET', target, body, secret, keyId = '1', alg = 'hmac-sha256' } = given
  const { created = Math.floor(Date.now() / 1_000), nonce = `n${++nonces}`, label = 'sig' } = given
  const [path = '', query] = target.split('?')
  const values: Record<string, string> = {
    '@method': method,
    '@path': path,
    '@query': `?${query ?? ''}`,
    '@target-uri': `${given.origin ?? 'http://shop.example.com'}${target}`,
    '@authority': 'shop.example.com',
    'content-digest': digestField(body ?? ''),
  }
  const usual = ['@method', '@path', '@query', ...(body === undefined ? [] : ['content-digest'])]
  const components = given.components ?? usual
  const list = components.map((name) => `"${name}"`).join(' ')
  const params = [
    `(${list})`,
    `created=${created}`,
    ...(nonce === null ? [] : [`nonce="${nonce}"`]),
    `keyid="${keyId}"`,
    `alg="${alg}"`,
  ].join(';')
  const lines = components.map((name) => `"${name}": ${values[name] ?? ''}`)
  const base = [...lines, `"@signature-params": ${params}`].join('\n')
  const mac = createHmac('sha256', secret).update(base).digest('base64')
  return {
    ...(body === undefined ? {} : { 'Content-Digest': digestField(body) }),
    'Signature-Input': `${label}=${params}`,
    Signature: `${label}=:${mac}:`,
  }
}
