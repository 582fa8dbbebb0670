import { timingSafeEqual } from 'node:crypto'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Verdict } from '../../exchange/verdict.ts'
import type { Caller } from '../../callers/caller.ts'
import { baseOf, coverageProblem } from '../../callers/signature/covered-components.ts'
import {
  readSignature,
  type ReadSignature,
  type SignatureFields,
} from '../../callers/signature/read-signature.ts'
import { hmacOf } from '../../callers/signature/signature-base.ts'

const asked = 'sig=("@method" "@target-uri" "content-digest");created;nonce;keyid;alg="hmac-sha256"'
const askForSignature = ['WWW-Authenticate', 'Signature realm="gateway"', 'Accept-Signature', asked]
/** For a `keyid` that nobody has: it takes as long as another. */
const nobodysSecret = 'ghk_nobody'
/** Signatures are forgotten in groups of this many seconds. */
const retryAfterSeconds = 16
const noMatch = 'The signature does not match the request, or keyid names no token that signs.'

/** Refuses with a text that says which part is wrong. Of the signature itself it says only that it does not match. */
export function refuseSignature(exchange: Exchange, message: string): Verdict {
  return exchange.refuse('client.signature', { message, detail: message, headers: askForSignature })
}

/**
 * Whose signature a request carries (RFC 9421), once everything but its body was held against it; undefined: it was
 * refused. What its body has to be is noted, for the stage that reads it.
 */
export function verifySignature(
  exchange: Exchange,
  fields: SignatureFields,
  windowSeconds: number,
): Caller | undefined {
  const read = readSignature(fields)
  if (typeof read === 'string') return refused(exchange, read)
  const coverage = coverageProblem(read.components, exchange.hasBody)
  if (coverage !== null) return refused(exchange, coverage)
  const digest = read.components.includes('content-digest') ? readDigest(fields) : null
  if (typeof digest === 'string') return refused(exchange, digest)
  const nowSeconds = Date.now() / 1_000
  const age = nowSeconds - read.createdSeconds
  if (age > windowSeconds)
    return refused(exchange, `The signature is older than ${windowSeconds} seconds.`)
  if (age < -windowSeconds)
    return refused(exchange, `The signature is made more than ${windowSeconds} seconds from now.`)
  const signer = signerOf(exchange, read, fields.digests[0] ?? '')
  if (signer === null) return refused(exchange, noMatch)
  const { authorization, snapshot } = exchange
  if (authorization !== null && snapshot.callers.tokens.find(authorization) !== signer)
    return refused(
      exchange,
      'Beside a signature, Authorization may hold the token of its keyid only.',
    )
  if (!isFirst(exchange, signer, read, windowSeconds, nowSeconds)) return undefined
  exchange.contentDigest = digest
  return signer
}

function refused(exchange: Exchange, message: string): undefined {
  refuseSignature(exchange, message)
}

function readDigest({ digests }: SignatureFields): Buffer | string {
  const [digest = '', other] = digests
  if (other !== undefined) return 'Content-Digest may come once.'
  const text = /^sha-256=:([\w+/]{43}=):$/.exec(digest)?.[1] ?? ''
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text
    ? bytes
    : 'Content-Digest holds no sha-256 alone, in base64 between colons (RFC 9530).'
}

/** Null: there is none under this id, or it is another's signature. */
function signerOf(exchange: Exchange, read: ReadSignature, digest: string): Caller | null {
  const signer = exchange.snapshot.callers.tokens.signer(read.keyId)
  const expected = hmacOf(signer?.signingSecret ?? nobodysSecret, baseOf(exchange, read, digest))
  return timingSafeEqual(expected, read.mac) ? signer : null
}

function isFirst(
  exchange: Exchange,
  signer: Caller,
  { mac, createdSeconds }: ReadSignature,
  windowSeconds: number,
  nowSeconds: number,
): boolean {
  const client = signer.quotaKey
  const context = exchange.endpoint?.api.config.context ?? ''
  const signed = { mac, createdSeconds, client, context, windowSeconds }
  const taken = exchange.gateway.seenSignatures.take(signed, nowSeconds)
  if (taken === 'seen')
    refuseSignature(exchange, 'This signature was used before. A nonce makes the next one differ.')
  if (taken === 'forgotten')
    refuseSignature(exchange, 'The signature is older than those that the gateway remembers.')
  if (taken === 'full') {
    const message = `Too many requests were signed within ${windowSeconds} seconds. Try again later.`
    const headers = ['Retry-After', String(Math.min(windowSeconds, retryAfterSeconds))]
    exchange.refuse('client.rate_limited', { message, detail: message, headers })
  }
  return taken === 'new'
}
