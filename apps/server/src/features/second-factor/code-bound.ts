import { createHash } from 'node:crypto'
import type { AuditAction } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'

const minuteMs = 60_000
const freeFailures = 5
const pauseMaxMs = 60 * minuteMs
/** For how long wrong codes in a row count. */
const rememberedMs = 24 * 60 * minuteMs

type Within = Pick<Stores, 'codeFailures' | 'audit'>

/** Who shows a code. Their password is right. */
export interface CodeHolder {
  user: { id: number; name: string }
  address: string
  requestId: string
  /** An address that the user signs in from, or their session: wrong codes count there alone. Blank: elsewhere. */
  place: string
}

interface Held {
  /** 0 or less: a code may be compared. */
  waitMs: number
  succeed(): Promise<void>
  fail(): Promise<void>
  /** A code was shown during the pause: the first one of each pause is in the audit trail. */
  refuse(): Promise<void>
}

/**
 * Bounds guesses of codes by those who know the password: five wrong ones in a row begin a pause of a minute,
 * which each further one doubles, up to an hour. All other addresses and servers count together; the user
 * goes on from where they sign in otherwise. Who does not know the password gets here never.
 */
export class CodeBound {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Nobody else compares codes of this user and place before the commit. */
  async hold({ codeFailures, audit }: Within, holder: CodeHolder): Promise<Held> {
    const nowMs = this.#clock.now().getTime()
    const now = new Date(nowMs).toISOString()
    const { user, address, requestId, place } = holder
    const placeHash = place === '' ? '' : createHash('sha256').update(place).digest('hex')
    const row = await codeFailures.hold(user.id, placeHash, now)
    const forgotten = new Date(nowMs - rememberedMs).toISOString()
    const before = row.last_at < forgotten ? 0 : row.failures
    // Who it was is what nobody knows: they had the password.
    const record = (action: AuditAction, after: object) =>
      audit.record(
        { address, requestId },
        { action, outcome: 'refused', thing: 'user', id: user.id, name: user.name, after },
      )
    const waitMs = waitOf({ ...row, failures: before }, nowMs)
    return {
      waitMs,
      succeed: () => codeFailures.put({ ...row, failures: 0, last_at: now, refused_at: null }),
      fail: async () => {
        const failures = before + 1
        await codeFailures.put({ ...row, failures, last_at: now, refused_at: null })
        await codeFailures.removeOlderThan(user.id, forgotten, placeHash)
        if (failures < freeFailures) return
        const pause_seconds = pauseMsAfter(failures) / 1000
        await record('user.codes_paused', { wrong_codes: failures, pause_seconds })
      },
      refuse: async () => {
        if (row.refused_at !== null) return
        await codeFailures.put({ ...row, refused_at: now })
        await record('user.code_refused', { seconds_left: Math.ceil(waitMs / 1000) })
      },
    }
  }
}

const pauseMsAfter = (failures: number) =>
  Math.min(minuteMs * 2 ** Math.min(failures - freeFailures, 10), pauseMaxMs)

function waitOf({ failures, last_at }: Row<'code_failure'>, nowMs: number): number {
  if (failures < freeFailures) return 0
  // A clock that was set back must not make anyone wait longer.
  return Math.min(Date.parse(last_at), nowMs) + pauseMsAfter(failures) - nowMs
}
