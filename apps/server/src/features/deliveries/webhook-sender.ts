import { createHmac } from 'node:crypto'
import type { HttpAnswer, HttpUpstream } from '@gatehouse/upstream'
import { parseTarget, type SecretRef } from './delivery-target.ts'
import type { SendDelivery, Tried } from './send-delivery.ts'

// A try takes 15 s at most, and nothing of the answer counts beyond its head.
const connectTimeoutMs = 5_000
const answerTimeoutMsDefault = 10_000
const maxAnswerBytes = 16_384

interface WebhookSenderOptions {
  upstream: HttpUpstream
  version: string
  /** The secrets to sign with, the present one first; empty where it is gone. */
  secretsOf: (ref: SecretRef, at: Date) => Promise<readonly string[]>
  /** 10 s unless given. */
  answerTimeoutMs?: number
}

/**
 * Sends deliveries as Standard Webhooks (https://www.standardwebhooks.com): the id is the same at every
 * try, the timestamp that of the try, and each secret gives a signature.
 */
export function webhookSender(options: WebhookSenderOptions): SendDelivery {
  const { upstream, version, secretsOf, answerTimeoutMs = answerTimeoutMsDefault } = options
  return async ({ message_id, payload, target: stored }, { at, signal }) => {
    const target = parseTarget(stored)
    if (!('url' in target)) throw new Error('A webhook needs a URL.')
    const secrets = await secretsOf(target.secret, at)
    if (secrets.length === 0)
      return { what: 'failed', status: null, error: 'The secret is gone.', isFinal: true }
    const timestamp = String(Math.floor(at.getTime() / 1000))
    const signed = `${message_id}.${timestamp}.${payload}`
    const answer = await upstream.send({
      method: 'POST',
      url: target.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Gatehouse/${version}`,
        'webhook-id': message_id,
        'webhook-timestamp': timestamp,
        'webhook-signature': secrets.map((secret) => signatureOf(secret, signed)).join(' '),
      },
      body: payload,
      connectTimeoutMs,
      answerTimeoutMs,
      maxAnswerBytes,
      signal,
    })
    return judge(answer, at)
  }
}

/** `v1,` and the HMAC-SHA256 in base64. A secret is `whsec_` and its bytes in base64. */
function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

const gone = 410

/** A 2xx status means that it was received, whatever becomes of the rest of the answer. */
function judge(answer: HttpAnswer, at: Date): Tried {
  const status = answer.status ?? null
  if (status !== null && status >= 200 && status < 300) return { what: 'delivered', status }
  if (!answer.ok && answer.code === 'aborted') return { what: 'aborted' }
  if (!answer.ok && status === null) return { what: 'failed', status, error: answer.detail }
  const isRedirect = status !== null && status >= 300 && status < 400
  const retryAfter = answer.ok ? answer.headers['retry-after'] : undefined
  return {
    what: 'failed',
    status,
    error: isRedirect
      ? `It answered ${status}: redirects are not followed.`
      : `It answered ${status}.`,
    notBefore: momentOf(retryAfter, at),
    isFinal: status === gone,
  }
}

/** Retry-After: seconds from now, or a date (RFC 9110 §10.2.3). Null where it is neither. */
function momentOf(text: string | undefined, at: Date): string | null {
  const value = text?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(value) ? at.getTime() + Number(value) * 1000 : Date.parse(value)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
