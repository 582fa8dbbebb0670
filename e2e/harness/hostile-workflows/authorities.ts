/** What may become of a submission that an authority does not simply accept. */
export type Mischief =
  /** 429 with Retry-After. */
  | 'throttled'
  | 'unavailable'
  | 'cut before storing'
  | 'cut after storing'
  | 'failure after storing'
  /** Stored, and answered when nobody waits any more. */
  | 'late'
  /** Refused inside a 200. */
  | 'refused'

/** Limits of a lane, on any window of this length; absent: none. */
export interface Limits {
  per_second?: number
  per_minute?: number
  per_hour?: number
}

export interface HostileAuthority {
  /** Also the slug of its workflow and the name of its lane. */
  name: 'careless' | 'careful' | 'later' | 'moody'
  /** Knows documents by Idempotency-Key and answers a repeat with 409. */
  isCareful: boolean
  /** Answers 202 and decides after so long; 0: decides at once. */
  decidesAfterMs: number
  /** By share of the submissions; the rest are accepted. */
  mischief: Partial<Record<Mischief, number>>
  lane: Limits & { concurrency: number; is_strict_order: boolean }
}

export type LimitsByName = Record<HostileAuthority['name'], Limits>

/** The authorities, each with a workflow and a lane of its own. */
export const hostileAuthorities = (limits: LimitsByName): HostileAuthority[] => [
  {
    // Takes a document as often as it is sent. The batch goes here.
    name: 'careless',
    isCareful: false,
    decidesAfterMs: 0,
    mischief: {
      throttled: 0.004,
      unavailable: 0.01,
      'cut before storing': 0.01,
      'cut after storing': 0.02,
      'failure after storing': 0.01,
      late: 0.005,
      refused: 0.03,
    },
    lane: { ...limits.careless, concurrency: 12, is_strict_order: true },
  },
  {
    name: 'careful',
    isCareful: true,
    decidesAfterMs: 0,
    mischief: {
      throttled: 0.05,
      unavailable: 0.08,
      'cut before storing': 0.08,
      'cut after storing': 0.12,
      'failure after storing': 0.06,
      late: 0.04,
    },
    lane: { ...limits.careful, concurrency: 4, is_strict_order: false },
  },
  {
    name: 'later',
    isCareful: false,
    decidesAfterMs: 1_500,
    mischief: {
      throttled: 0.03,
      'cut before storing': 0.03,
      'cut after storing': 0.06,
      'failure after storing': 0.03,
    },
    lane: { ...limits.later, concurrency: 6, is_strict_order: true },
  },
  {
    // Goes away for a while, too.
    name: 'moody',
    isCareful: false,
    decidesAfterMs: 0,
    mischief: { throttled: 0.15, 'cut after storing': 0.04, refused: 0.05 },
    lane: { ...limits.moody, concurrency: 3, is_strict_order: false },
  },
]

/** How long the product waits for an answer, and how long a late one takes. */
export const answerTimeoutMs = 1_000
export const lateMs = 2_500

/** Some documents of an authority that decides later are rejected: every so many. */
export const rejectsEvery = 8
