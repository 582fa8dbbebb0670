import { z } from 'zod'

/**
 * `off`: its endpoint or the installation wants no healing; `no_way`: there is nothing to ask and no repetition is
 * safe; `given_up`: it took too long.
 */
export const healingPlans = ['ask', 'repeat', 'off', 'no_way', 'given_up'] as const
export type HealingPlan = (typeof healingPlans)[number]

/** How an unknown step is healed (docs/runs/unclear.md). */
export const stepHealing = z.object({
  /** Asks; repeats the same bytes; or why it does neither. */
  plan: z.enum(healingPlans),
  since: z.string(),
  tries: z.number().int(),
  /** When it is looked at next; null: not any more. */
  next_at: z.string().nullable(),
})
