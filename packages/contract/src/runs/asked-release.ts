import { z } from 'zod'

export const releaseDecisions = ['released', 'refused', 'expired'] as const
export type ReleaseDecision = (typeof releaseDecisions)[number]

/** Who asked for a run that a person has to release, and what was decided. */
export const runRelease = z.object({
  via: z.enum(['agent', 'token']),
  /** The name of the token, and of the agent's client where it gave one. */
  asked_by: z.string(),
  asked_at: z.string(),
  /** Not released by then, it is cancelled. */
  expires_at: z.string(),
  decision: z.enum(releaseDecisions).nullable(),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
  note: z.string().nullable(),
})
export type RunRelease = z.output<typeof runRelease>
