import type { Random } from './random.ts'

/** What was taken is decided within this time. */
const decidesWithinMs = 90_000

interface Taken {
  key: string
  decidedAtMs: number
  isAccepted: boolean
  /** Stores it as accepted; called once. */
  accept: () => void
}

/** Takes documents, and decides later about each: it accepts most of them. */
export function laterDecisions(random: Random, now: () => number) {
  const byUid = new Map<string, Taken>()
  const open = new Set<Taken>()

  /** Carries out the decisions that are due. */
  function settle(): void {
    for (const taken of open) {
      if (taken.decidedAtMs > now()) continue
      open.delete(taken)
      if (taken.isAccepted) taken.accept()
    }
  }

  return {
    settle,
    /** The number under which it can be asked for. */
    take: (key: string, accept: () => void): string => {
      const uid = `T-${byUid.size + 1}`
      const decidedAtMs = now() + random.below(decidesWithinMs)
      const taken = { key, decidedAtMs, isAccepted: random.isLikely(0.75), accept }
      byUid.set(uid, taken)
      open.add(taken)
      return uid
    },
    isUndecided: (key: string) => [...open].some((taken) => taken.key === key),
    stateOf: (uid: string): string | undefined => {
      const taken = byUid.get(uid)
      if (!taken) return undefined
      if (open.has(taken)) return 'taken'
      return taken.isAccepted ? 'valid' : 'invalid'
    },
  }
}
