import {
  cancelDelivery,
  listDeliveries,
  sendDeadDeliveries,
  sendDeliveryAgain,
  showDelivery,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toLongPage } from '../../kernel/to-page.ts'
import type { ListedDelivery } from './delivery-list-store.ts'
import type { DeliveryService } from './delivery-service.ts'
import { parseTarget, shownTarget } from './delivery-target.ts'

export function deliveryRoutes(app: FastifyInstance, deliveries: DeliveryService): void {
  mount(app, listDeliveries, async ({ query }, { caller }) =>
    toLongPage(await deliveries.list(query, caller), query, toRow),
  )
  mount(app, showDelivery, async ({ params }, { caller }) => ({
    delivery: toDetail(await deliveries.get(params.id, caller)),
  }))
  mount(app, sendDeliveryAgain, async ({ params }, context) => ({
    delivery: toDetail(await deliveries.sendAgain(params.id, context)),
  }))
  mount(app, cancelDelivery, async ({ params }, context) => ({
    delivery: toDetail(await deliveries.cancel(params.id, context)),
  }))
  mount(app, sendDeadDeliveries, ({ body }, context) => deliveries.sendDead(body.place, context))
}

function toRow(row: ListedDelivery) {
  const { target, workflow_id, workflow_name, state, next_try_at } = row
  const isWaiting = state === 'waiting'
  return {
    ...row,
    target: shownTarget(parseTarget(target)),
    workflow: workflow_id === null ? null : { id: workflow_id, name: workflow_name ?? '' },
    waits_for: isWaiting ? row.waits_for : null,
    next_try_at: isWaiting ? next_try_at : null,
  }
}

const toDetail = (row: ListedDelivery) => ({
  ...toRow(row),
  message_id: row.message_id,
  payload: row.payload,
})
