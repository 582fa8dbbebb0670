import type { ImportPreview } from '@gatehouse/contract'
import { maskAnswer, noCredential, signedIn, type HttpUpstream } from '@gatehouse/upstream'
import { fewAtOnce } from '../../kernel/few-at-once.ts'
import type { ImportedCall } from './imported-document.ts'

const connectTimeoutMs = 5_000
const answerTimeoutMs = 10_000
/** As large as a document may be. */
const maxAnswerBytes = 4 * 1024 * 1024
const shownCharacters = 4_000

const run = fewAtOnce({ atOnce: 4, queueMax: 8 })

interface Asked {
  shown: NonNullable<ImportPreview['answer']>
  /** The whole body of an answer without an error; undefined: there is none. */
  text: string | undefined
}

/**
 * Asks an address once by GET, signed in as the command was: through the address guard, in 15 s at most, 4 MiB at
 * most, without redirects. Throws a 429 where too many ask at once.
 */
export function askAddress(
  upstream: HttpUpstream,
  { url, signIn }: ImportedCall,
  signal: AbortSignal,
): Promise<Asked> {
  return run(async () => {
    const { headers, secrets } = signedIn(signIn ?? noCredential)
    const beganAt = performance.now()
    const sent = await upstream.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json, */*;q=0.8', ...Object.fromEntries(headers) },
      connectTimeoutMs,
      answerTimeoutMs,
      maxAnswerBytes,
      signal,
    })
    const took_ms = Math.round(performance.now() - beganAt)
    const answer = maskAnswer(sent, secrets)
    if (!answer.ok) {
      const nothing = { status: null, content_type: '', body: '' }
      return { shown: { ...nothing, took_ms, problem: answer.detail }, text: undefined }
    }
    const text = answer.body.toString('utf8')
    const shown = {
      status: answer.status,
      took_ms,
      problem: null,
      content_type: answer.headers['content-type'] ?? '',
      body: text.slice(0, shownCharacters),
    }
    return { shown, text: answer.status < 300 ? text : undefined }
  })
}
