import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { DeliveryKeeper } from './delivery-keeper.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { DeliveryService } from './delivery-service.ts'
import type { Senders } from './send-delivery.ts'

interface DeliveriesOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** The id of this server. */
  owner: string
  longReads: Stores['deliveries']
  /** How each channel is sent. */
  senders: Senders
}

/** Wires the outbox: what other features leave in it is sent, with retries, until it arrives. */
export function createDeliveries(options: DeliveriesOptions) {
  const keeper = new DeliveryKeeper(options)
  const service = new DeliveryService({ ...options, wake: () => keeper.wake() })
  return {
    keeper,
    service,
    mountOn: (app: FastifyInstance) => deliveryRoutes(app, service),
  }
}
