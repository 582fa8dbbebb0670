import { randomBytes } from 'node:crypto'
import { createAddressGuard, createHttpUpstream } from '@gatehouse/upstream'
import { pino } from 'pino'
import { createDeliveries } from '../../src/features/deliveries/create-deliveries.ts'
import { webhookSender } from '../../src/features/deliveries/webhook-sender.ts'
import { createStores, inTransactionOn } from '../../src/stores.ts'
import { createTestDatabase } from '../test-database.ts'

export const testSecret = `whsec_${randomBytes(24).toString('base64')}`

/** Outboxes of one or several servers over one database, with one clock. */
export async function buildOutboxes() {
  const { db, drop } = await createTestDatabase()
  const time = { now: new Date('2026-06-01T08:00:00Z') }
  const clock = { now: () => time.now }
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  const upstream = createHttpUpstream({ guard })
  const inTransaction = inTransactionOn(db, clock)
  const logLines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => logLines.push(line) })
  /** `committed` is awaited after each transaction: the process stands still there. */
  const outboxOf = (owner: string, committed: () => Promise<void> = async () => {}) =>
    createDeliveries({
      inTransaction: async (...work) => {
        const result = await inTransaction(...work)
        await committed()
        return result
      },
      clock,
      log,
      owner,
      longReads: createStores(db, clock).deliveries,
      senders: {
        webhook: webhookSender({
          upstream,
          version: '1',
          secretsOf: async () => [testSecret],
          answerTimeoutMs: 500,
        }),
      },
    })
  const outbox = outboxOf('first')
  return {
    db,
    time,
    logLines,
    inTransaction,
    outboxOf,
    outbox,
    later: (seconds: number) => (time.now = new Date(time.now.getTime() + seconds * 1000)),
    /** Leaves a message for a URL in the outbox. */
    leave: (url: string, payload: unknown, orderKey: string | null = null) =>
      inTransaction(({ deliveries }) =>
        deliveries.insert({
          kind: 'callback',
          channel: 'webhook',
          subject: 'run.succeeded',
          target: { url, secret: { of: 'workflow', id: 1 } },
          payload: JSON.stringify(payload),
          orderKey,
        }),
      ),
    find: async (id: number) => {
      const row = await inTransaction(({ deliveries }) => deliveries.find(id))
      if (!row) throw new Error(`There is no delivery ${id}.`)
      return row
    },
    close: async () => {
      await outbox.keeper.stop()
      await upstream.close()
      await drop()
    },
  }
}
