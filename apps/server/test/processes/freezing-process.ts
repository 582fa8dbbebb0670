import { once } from 'node:events'
import { connect } from '../../src/db/connect.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { inTransactionOn } from '../../src/stores.ts'

// A server that is stopped in the middle of three changes: one holds the lock, the others wait for it. It says
// when it holds it, and goes on when it is told.
const db = connect({ kind: 'postgres', url: process.argv[2] ?? '' })
const told = once(process, 'message')
let times = 0
const change = () =>
  inTransactionOn(
    db,
    systemClock,
  )(async ({ revisions }) => {
    times++
    await revisions.bump()
    process.send?.('holding')
    await told
    await revisions.get()
  })
await Promise.all([change(), change(), change()])
process.send?.({ times })
await db.destroy()
process.disconnect?.()
