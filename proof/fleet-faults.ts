import { faceFaults, type FaultRow } from './fleet-faults/face-faults.ts'
import { openNamespaces, openRelays } from './fleet-faults/wires.ts'

// The long form of e2e/operations/fleet-faults.nightly.ts: two control planes and three gateways on one PostgreSQL with a
// standby and one Redis, each in a network namespace of its own where this is root. Every fault strikes them
// under load. Linux alone.
// npm run proof fleet-faults -- [part of a fault's name or of a node's]
const [only = ''] = process.argv.slice(2)
const wires = process.getuid?.() === 0 ? openNamespaces() : openRelays()

const ms = (value: number) => `${Math.round(value)} ms`

function print(row: FaultRow): void {
  const {
    fault,
    nodes,
    requests,
    failed,
    wrong,
    excused,
    notDone,
    convergedMs,
    revokedAcceptedMs,
  } = row
  const cells = [
    fault,
    nodes,
    requests,
    failed.length,
    wrong.length,
    ms(convergedMs),
    ms(revokedAcceptedMs),
    excused,
    notDone,
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (row.said !== '') console.log(`  ${row.said}`)
  for (const each of [...failed.slice(0, 5), ...wrong.slice(0, 5)]) console.log(`  ${each}`)
}

console.log(`Wires: ${wires.kind}`)
console.log(
  '| fault | nodes | requests | failed | wrong | converged after | revoked accepted until | excused | acts not done |',
)
const report = await faceFaults({
  wires,
  pauseMs: 15,
  actPauseMs: 100,
  awayMs: 4_000,
  changes: 1_000,
  promisedMs: 2_000,
  isStruck: ({ name, nodes }) => `${name} ${nodes}`.includes(only),
  onRow: print,
})
const { rows, atTheEnd, invoices, ...counts } = report
console.log({ ...counts, invoices, atTheEnd })
const isGood =
  rows.every(
    ({ failed, wrong, convergedMs }) =>
      failed.length + wrong.length === 0 && convergedMs < Infinity,
  ) && [...atTheEnd, ...invoices.acceptedTwice, ...invoices.lost, ...invoices.wrong].length === 0
console.log(isGood ? 'nothing is wrong' : 'something is wrong')
process.exitCode = isGood ? 0 : 1
