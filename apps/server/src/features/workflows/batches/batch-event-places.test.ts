import { expect, it } from 'vitest'
import type { Caller } from '../../../kernel/caller.ts'
import { BatchEvents } from './batch-events.ts'

const user = { name: '', email: '', username: '', roles: [], role: '', permissions: [] }
const batch = { id: 1, counts: { queued: 1 } }

/** Streams of a batch that never ends, for users by their ids. */
function streams() {
  const events = new BatchEvents({
    service: { show: async () => batch } as unknown as ConstructorParameters<
      typeof BatchEvents
    >[0]['service'],
    isSessionOpen: async () => true,
  })
  const callerOf = (id: number): Caller => ({
    user: { ...user, id },
    sessionId: id,
    isSuperAdmin: false,
  })
  return (id: number, left = new AbortController().signal) =>
    events.follow({ slug: 'any', id: 1 }, callerOf(id), left)
}

it('one user has at most ten streams of batches, and others have places beside them', async () => {
  const follow = streams()
  const own = await Promise.all(Array.from({ length: 10 }, () => follow(1)))
  for (const each of own) await each.next()
  await expect(follow(1)).rejects.toMatchObject({ code: 'server.busy' })
  expect((await (await follow(2)).next()).done).toBe(false)
  await own[0]?.return(undefined)
  expect((await (await follow(1)).next()).done).toBe(false)
})

it('2,000 that are asked for before any is read get no more places than there are', async () => {
  const follow = streams()
  const leaving = new AbortController()
  const ask = async (_: unknown, at: number) => follow(at, leaving.signal)
  const asked = await Promise.allSettled(Array.from({ length: 2_000 }, ask))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  // A reader who leaves before the first read releases the place too.
  leaving.abort()
  expect((await (await follow(1)).next()).done).toBe(false)
})
