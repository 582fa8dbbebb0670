import { z } from 'zod'
import { requiredText, strictFields } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Why nothing is sent without a person. */
const holdReasons = ['restore', 'older_database'] as const

/**
 * The installation goes on from a backup, or from a database that is older than what this server has sent: what it
 * would send by itself may have been sent after the backup was made. Lanes, schedules, next steps of accepted runs and callbacks wait.
 */
export const installationHold = z.object({
  reason: z.enum(holdReasons),
  /** When the backup was made. What was sent later is not known here. */
  backup_made_at: z.string(),
  held_since: z.string(),
})
export type InstallationHold = z.output<typeof installationHold>

/** Every screen shows it; null where nothing is held. */
const holdAnswer = z.object({ hold: installationHold.nullable() })

export const showHold = defineRoute({
  method: 'GET',
  path: '/api/installation/hold',
  access: 'session',
  tag: 'Installation',
  summary: 'Whether everything that is sent without a person is held, and since when',
  response: holdAnswer,
})

/** Refused with a 409 where nothing is held: another user may have been first. */
export const releaseHold = defineRoute({
  method: 'POST',
  path: '/api/installation/release',
  access: 'workflow.operate',
  tag: 'Installation',
  summary: 'Let lanes, schedules and callbacks send again after a restore',
  body: strictFields({ note: requiredText(1000, 'note', { isMultiline: true }) }),
  response: holdAnswer,
})
