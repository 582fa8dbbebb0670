import type { Row } from '../../../db/tables.ts'

export const waitingWords = (expiresAt: string) =>
  `It waits until a person releases it, at most until ${expiresAt}. Nothing of it was sent.`

/** What the caller of a run that was not sent learns of its release; null: it was released. */
export function releaseWords(release: Row<'run_release'>): string | null {
  if (release.decision === null) return waitingWords(release.expires_at)
  if (release.decision === 'refused')
    return `${release.decided_by_name} refused to release it: ${ended(release.note)} Nothing of it was sent.`
  return release.decision === 'expired'
    ? `Nobody released it until ${release.expires_at}. Nothing of it was sent.`
    : null
}

/** A note is typed, and may end without a stop. */
const ended = (note: string | null) => (note ?? '').trim().replace(/(?<![.!?؟])$/, '.')
