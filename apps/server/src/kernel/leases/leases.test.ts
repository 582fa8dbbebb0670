import { expect, it } from 'vitest'
import { Leases } from './leases.ts'

const time = { now: new Date('2026-06-01T08:00:00Z') }
const leases = new Leases('first', { now: () => time.now }, 60_000)
const later = (seconds: number) => (time.now = new Date(time.now.getTime() + seconds * 1_000))
const claimed = (id: number) => ({ id, lease_until: leases.until() })

it('what was claimed again counts by its last claim alone: another server may have held it since', () => {
  const earlier = leases.take(claimed(1))
  const lost = leases.lost(earlier)
  later(120)
  const now = leases.take(claimed(1))
  expect([leases.maySend(earlier), leases.maySend(now), lost.aborted]).toEqual([false, true, true])
  leases.letGo(earlier)
  expect(leases.maySend(now)).toBe(true)
})

it('what is not renewed is lost, and what can’t be renewed once its lease is over', async () => {
  const [one, other] = [leases.take(claimed(1)), leases.take(claimed(2))]
  const [ofOne, ofOther] = [leases.lost(one), leases.lost(other)]
  later(30)
  await leases.renew({ renewLeases: async () => [{ id: 1 }] })
  expect([ofOne.aborted, ofOther.aborted, leases.holds(2)]).toEqual([false, true, false])
  const away = { renewLeases: async () => Promise.reject(new Error('The database is away.')) }
  later(30)
  await expect(leases.renew(away)).rejects.toThrow('away')
  expect(ofOne.aborted).toBe(false)
  later(30)
  await expect(leases.renew(away)).rejects.toThrow('away')
  expect([ofOne.aborted, leases.maySend(one)]).toEqual([true, false])
})

it('a lease from before the time was set back is certain for no server', () => {
  const held = leases.take(claimed(3))
  later(-3_600)
  expect(leases.maySend(held)).toBe(false)
})
