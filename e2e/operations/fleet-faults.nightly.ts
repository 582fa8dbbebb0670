import { expect, it } from 'vitest'
import { faceFaults } from '../../proof/fleet-faults/face-faults.ts'
import { openRelays } from '../../proof/fleet-faults/wires.ts'

// The short form of `npm run proof fleet-faults`: a fault of each kind, once. Frozen processes are found by /proc.

const once = [
  ['no fault: 20 changes', 'gateway-1, gateway-2, gateway-3'],
  ['kill -9, started again', 'control-1'],
  ['kill -9, started again', 'gateway-1'],
  ['frozen', 'gateway-2'],
  ['PostgreSQL restarted', 'all'],
  ['cut off from PostgreSQL and Redis', 'gateway-3'],
  ['PostgreSQL killed, the standby takes over', 'all'],
]

it.skipIf(process.platform !== 'linux')(
  'gateways answer every request rightly, whatever is killed, frozen, cut off or failed over, and all agree at the end',
  async () => {
    const { rows, atTheEnd, invoices, acts, revoked } = await faceFaults({
      wires: openRelays(),
      pauseMs: 30,
      actPauseMs: 50,
      awayMs: 1_000,
      changes: 20,
      isStruck: ({ name, nodes }) => once.some((each) => each[0] === name && each[1] === nodes),
    })
    expect(rows).toHaveLength(once.length)
    for (const { fault, nodes, requests, failed, wrong, convergedMs } of rows) {
      expect({ fault, nodes, failed, wrong }).toEqual({ fault, nodes, failed: [], wrong: [] })
      expect(requests).toBeGreaterThan(0)
      expect(convergedMs).toBeLessThan(Infinity)
    }
    expect(acts.done).toBeGreaterThan(revoked)
    expect(revoked).toBeGreaterThan(0)
    expect(atTheEnd).toEqual([])
    expect(invoices).toMatchObject({ acceptedTwice: [], lost: [], wrong: [] })
  },
  240_000,
)
