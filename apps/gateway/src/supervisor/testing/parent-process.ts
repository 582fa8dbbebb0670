// A parent with two workers, for tests that kill it. Reports their port and their process ids.
import { openHarness, snapshotOf } from './fleet-harness.ts'

const fleet = openHarness().start({ size: 2 })
await fleet.publish(snapshotOf(1))
await fleet.ready()
const pids = fleet.workers().map(({ pid }) => pid)
process.stdout.write(`${JSON.stringify({ port: fleet.address.port, pids })}\n`)
