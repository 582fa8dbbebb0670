import { z } from 'zod'
import { idMax } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { alarmChannelInput } from './alarm-channels.ts'

export const testAlarmChannel = defineRoute({
  method: 'POST',
  path: '/api/alarm-channels/:id/test',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Send a test message now, and show what the receiver answered',
  params: idParams,
  response: z.object({ ok: z.boolean(), answer: z.string() }),
})

/** With what its form holds; nothing is stored. A secret that is left blank is the stored one of the channel `id`. */
export const testUnsavedAlarmChannel = defineRoute({
  method: 'POST',
  path: '/api/alarm-channels/test',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary:
    'Send a test message by a channel that is not saved, and show what the receiver answered',
  query: z.object({
    /** The channel whose form it is; absent: it is a new one. */
    id: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  body: alarmChannelInput,
  response: z.object({ ok: z.boolean(), answer: z.string() }),
})
