import { createHook, deleteHook, listHooks, receiveHook, updateHook } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../kernel/mount.ts'
import type { HookReceiver } from './hook-receiver.ts'
import { toHookRecord } from './hook-record.ts'
import type { HookService } from './hook-service.ts'
import type { HookRow } from './hook-store.ts'

export function hookRoutes(app: FastifyInstance, hooks: HookService, receiver: HookReceiver): void {
  mount(app, listHooks, async ({ params }) => ({
    hooks: (await hooks.list(params.id)).map(toHookRecord),
  }))
  mount(app, createHook, async ({ params, body }, context) =>
    toSaved(await hooks.create(params.id, body, context)),
  )
  mount(app, updateHook, async ({ params, body }, context) =>
    toSaved(await hooks.update(params.id, body, context)),
  )
  mount(app, deleteHook, ({ params }, context) => hooks.remove(params.id, context))
  mount(app, receiveHook, ({ params, body }, context) =>
    receiver.receive(params.name, body, context),
  )
}

const toSaved = ({ hook, secret }: { hook: HookRow; secret: string | null }) => ({
  hook: toHookRecord(hook),
  secret,
})
