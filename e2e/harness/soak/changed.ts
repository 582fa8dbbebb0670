import type { Answer } from '../run-product.ts'

/** What was saved. On a busy machine a change may be in force a moment later than two seconds: 503 says so. */
export async function changed(answer: Promise<Answer>): Promise<unknown> {
  const { status, body } = await answer
  if (status < 300) return body
  const { code, saved } = body as { code: string; saved?: unknown }
  if (code === 'gateway.not_in_force') return saved
  throw new Error(`${status} ${JSON.stringify(body)}`)
}
