import type { AnswerHead } from './answer-head.ts'

/** Unless the upstream says how long it keeps idle connections. */
const usualMs = 4_000
const longestMs = 60_000
/** We close this much earlier than the upstream: a request must not cross with its close. */
const aheadMs = 2_000

/** Whether the upstream will not take another request after this answer (RFC 9112 §9.3). */
export function isLastAnswer({ isHttp10, connection }: AnswerHead): boolean {
  if (isHttp10) return true
  if (connection === null || connection === 'keep-alive') return false
  return connection
    .toLowerCase()
    .split(',')
    .some((option) => option.trim() === 'close')
}

/** How long an idle connection is kept, by the `Keep-Alive` field of its last answer. 0: not at all. */
export function keptForMs(keepAlive: string | null): number {
  if (keepAlive === null) return usualMs
  const [, seconds] = /(?:^|[\s,;])timeout\s*=\s*"?(\d{1,9})/i.exec(keepAlive) ?? []
  if (seconds === undefined) return usualMs
  return Math.max(0, Math.min(longestMs, Number(seconds) * 1_000 - aheadMs))
}
