import { createHash, createHmac } from 'node:crypto'

/** The header fields of a POST that is signed by RFC 9421, as docs/callers/signed-requests.md says it. */
export function signedFields(url: string, body: string, keyId: number, secret: string) {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const created = Math.floor(Date.now() / 1_000)
  const nonce = crypto.randomUUID()
  const params = `("@method" "@target-uri" "content-digest");created=${created};nonce="${nonce}";keyid="${keyId}";alg="hmac-sha256"`
  const base = `"@method": POST\n"@target-uri": ${url}\n"content-digest": ${digest}\n"@signature-params": ${params}`
  const mac = createHmac('sha256', secret).update(base).digest('base64')
  return { 'content-digest': digest, 'signature-input': `sig=${params}`, signature: `sig=:${mac}:` }
}
