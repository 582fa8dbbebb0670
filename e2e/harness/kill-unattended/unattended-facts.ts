import { setTimeout as delay } from 'node:timers/promises'
import type { Call } from '../run-product.ts'
import type { SetUp } from './set-up-unattended.ts'

interface Firing {
  id: number
  planned_for: string
  state: string
  started: number
}

interface Run {
  id: number
  state: string
  reference: string | null
}

interface Delivery {
  id: number
  state: string
  run_id: number | null
  subject: string
}

/** What the product shows in the end. */
export interface UnattendedFacts {
  /** By the id of their schedule. */
  firings: ReadonlyMap<number, Firing[]>
  runs: Run[]
  deliveries: Delivery[]
  watermark: string
}

export async function readFacts(call: Call, { fixed, list }: SetUp): Promise<UnattendedFacts> {
  const firings = new Map<number, Firing[]>()
  for (const id of [...fixed.values(), list])
    firings.set(id, await everything<Firing>(call, `/api/schedules/${id}/firings?`))
  const { body } = await call('GET', `/api/schedules/${list}`)
  const { schedule } = body as { schedule: { list: { watermark: { value: string } } } }
  return {
    firings,
    runs: await everything<Run>(call, '/api/runs?sort=id&'),
    deliveries: await everything<Delivery>(call, '/api/deliveries?'),
    watermark: schedule.list.watermark.value,
  }
}

/** Waits until nothing goes on, waits or is due. Throws when the time is over. */
export async function settled(call: Call, setUp: SetUp, withinMs: number): Promise<void> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    const open = await countOpen(call, setUp)
    const left = Object.entries(open).filter(([, count]) => count > 0)
    if (left.length === 0) return
    if (performance.now() > endsAt) throw new Error(`It is not settled: ${JSON.stringify(open)}`)
    await delay(250)
  }
}

async function countOpen(call: Call, { fixed, list }: SetUp): Promise<Record<string, number>> {
  const count = async (path: string) => (await pageOf(call, path)).total
  const { data } = await pageOf<{ next_run_at: string }>(call, '/api/schedules?limit=100')
  const now = new Date().toISOString()
  let firings = 0
  for (const id of [...fixed.values(), list])
    firings += await count(`/api/schedules/${id}/firings?state=running&limit=1`)
  return {
    due: data.filter(({ next_run_at }) => next_run_at <= now).length,
    firings,
    queued: await count('/api/runs?state=queued&limit=1'),
    running: await count('/api/runs?state=running&limit=1'),
    waiting: await count('/api/deliveries?state=waiting&limit=1'),
  }
}

async function everything<T>(call: Call, path: string): Promise<T[]> {
  const all: T[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, last_page } = await pageOf<T>(call, `${path}limit=100&page=${page}`)
    all.push(...data)
    last = last_page
  }
  return all
}

interface Page<T> {
  data: T[]
  total: number
  last_page: number
}

async function pageOf<T>(call: Call, path: string): Promise<Page<T>> {
  const answer = await call('GET', path)
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return (answer.body as [Page<T>])[0]
}
