import { z } from 'zod'

/** Where a queued run is, and what it waits for. */
export const queuePlace = z.object({
  lane: z.object({ id: z.number().int(), name: z.string() }),
  queued_at: z.string(),
  /** Tries that failed so far. */
  tries: z.number().int(),
  /** Not tried before this moment, which its lane or the run itself waits for; null: as soon as it can be. */
  next_try_at: z.string().nullable(),
  /** If it has not been sent by then, it ends as not started; null: there is no deadline. */
  deadline_at: z.string().nullable(),
  /** What keeps it from being sent, in words; null where nothing does. */
  waiting_for: z.string().nullable(),
  /** Why its last try failed, in words; null where none did. */
  last_failure: z.string().nullable(),
})
export type QueuePlace = z.output<typeof queuePlace>
