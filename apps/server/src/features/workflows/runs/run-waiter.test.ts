import { expect, it } from 'vitest'
import type { Caller } from '../../../kernel/caller.ts'
import { RunFeed } from '../../runs/ledger/reading/run-feed.ts'
import { RunWaiter } from './run-waiter.ts'

const waitersMax = 500
const caller = {} as Caller

/** Counts those who listen. */
class CountedFeed extends RunFeed {
  listening = 0

  override follow(runId: number, listener: () => void): () => void {
    this.listening++
    const stop = super.follow(runId, listener)
    return () => {
      this.listening--
      stop()
    }
  }
}

it('callers that leave make room for others, and nobody listens for them', async () => {
  const feed = new CountedFeed()
  const waiter = new RunWaiter({
    feed,
    stateOf: () => Promise.resolve('queued'),
    recheck: () => Promise.resolve(),
  })
  const leaving = new AbortController()
  const waits = Array.from({ length: waitersMax }, (_, runId) =>
    waiter.wait({ runId, seconds: 60, caller, left: leaving.signal }),
  )
  expect(feed.listening).toBe(waitersMax)
  const staying = { runId: 1, seconds: 60, caller, left: new AbortController().signal }
  expect(await waiter.wait(staying)).toBe(false)
  leaving.abort()
  await Promise.all(waits)
  expect(feed.listening).toBe(0)
  const next = waiter.wait(staying)
  expect(feed.listening).toBe(1)
  waiter.close()
  expect(await next).toBe(true)
  expect(feed.listening).toBe(0)
})

it('a caller whose token is revoked while it waits makes room too', async () => {
  const feed = new CountedFeed()
  const waiter = new RunWaiter({
    feed,
    stateOf: () => Promise.resolve('running'),
    recheck: () => Promise.reject(new Error('revoked')),
  })
  const { signal: left } = new AbortController()
  await expect(waiter.wait({ runId: 1, seconds: 60, caller, left })).rejects.toThrow('revoked')
  expect(feed.listening).toBe(0)
})
