import {
  createAlarmChannel,
  deleteAlarmChannel,
  editAlarmChannel,
  listAlarmChannels,
  testAlarmChannel,
  testUnsavedAlarmChannel,
  updateAlarmChannel,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../kernel/mount.ts'
import { toPage } from '../../../kernel/to-page.ts'
import type { AlarmChannelService } from './alarm-channel-service.ts'
import { toChannelRecord } from './channel-settings.ts'

export function alarmChannelRoutes(app: FastifyInstance, channels: AlarmChannelService): void {
  mount(app, listAlarmChannels, async ({ query }) =>
    toPage(await channels.list(query), query, toChannelRecord),
  )
  mount(app, createAlarmChannel, ({ body }, context) => channels.create(body, context))
  mount(app, editAlarmChannel, async ({ params }) => ({
    channel: toChannelRecord(await channels.get(params.id)),
  }))
  mount(app, updateAlarmChannel, ({ params, body }, context) =>
    channels.update(params.id, body, context),
  )
  mount(app, deleteAlarmChannel, ({ params }, context) => channels.remove(params.id, context))
  mount(app, testAlarmChannel, ({ params }, context) => channels.test(params.id, context))
  mount(app, testUnsavedAlarmChannel, ({ query, body }, context) =>
    channels.testUnsaved(query.id, body, context),
  )
}
