import {
  acknowledgeAlarms,
  listAlarms,
  muteAlarm,
  showAlarmBell,
  unmuteAlarm,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toLongPage } from '../../kernel/to-page.ts'
import type { AlarmService } from './alarm-service.ts'

export function alarmRoutes(app: FastifyInstance, alarms: AlarmService): void {
  mount(app, listAlarms, async ({ query }) =>
    toLongPage(await alarms.list(query), query, (alarm) => alarm),
  )
  mount(app, showAlarmBell, () => alarms.bell())
  mount(app, acknowledgeAlarms, async ({ body }, context) => ({
    acknowledged: await alarms.acknowledge(body.ids, body.note, context),
  }))
  mount(app, muteAlarm, ({ params, body }, context) => alarms.mute(params.id, body, context))
  mount(app, unmuteAlarm, async ({ params }, context) => {
    await alarms.unmute(params.id, context)
    return { message: 'No longer muted.' }
  })
}
