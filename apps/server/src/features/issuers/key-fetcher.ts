import type { HttpUpstream } from '@gatehouse/upstream'
import { KeysProblem, readKeys, type IssuerKey } from './read-keys.ts'

const connectTimeoutMs = 5_000
const answerTimeoutMs = 10_000
const maxAnswerBytes = 512 * 1024

type FetchedKeys = { ok: true; keys: IssuerKey[] } | { ok: false; problem: string }

/**
 * The keys at an address, fetched once: through the address guard, in 15 s at most, 512 KiB at most, without
 * redirects. Never throws.
 */
export async function fetchKeys(
  upstream: HttpUpstream,
  url: string,
  signal: AbortSignal,
): Promise<FetchedKeys> {
  const answer = await upstream.send({
    method: 'GET',
    url,
    headers: { accept: 'application/jwk-set+json, application/json' },
    connectTimeoutMs,
    answerTimeoutMs,
    maxAnswerBytes,
    signal,
  })
  if (!answer.ok) return { ok: false, problem: answer.detail }
  if (answer.status !== 200) return { ok: false, problem: `It answered ${answer.status}.` }
  try {
    return { ok: true, keys: readKeys(answer.body.toString('utf8')) }
  } catch (error) {
    if (error instanceof KeysProblem) return { ok: false, problem: error.message }
    throw error
  }
}
