import { expect, it, onTestFinished, vi } from 'vitest'
import { relayTo } from '../../../test/servers/database-relay.ts'
import { createEmptyPostgres } from '../../../test/test-database.ts'
import { connect } from '../connect.ts'
import { listenTo } from './listen.ts'
import { sql } from 'kysely'

it('a connection that a network has forgotten is replaced as soon as another one answers', async () => {
  const shared = await createEmptyPostgres()
  // SQLite has one process.
  if (!shared) return
  const relay = await relayTo(shared.url)
  const db = connect({ kind: 'postgres', url: shared.url })
  const heard: string[] = []
  let returns = 0
  const listening = listenTo(relay.url, 'news', {
    onNotification: (payload = 'connected') => void heard.push(payload),
    onReturn: () => returns++,
  })
  onTestFinished(async () => {
    await listening.stop()
    await relay.close()
    await db.destroy()
    await shared.drop()
  })
  await vi.waitFor(() => expect(heard).toEqual(['connected']))
  relay.silence()
  await vi.waitFor(() => expect(relay.attempts()).toBe(2))
  // The first one is not given up yet.
  expect(relay.count()).toBe(2)
  await relay.comeBack()
  await vi.waitFor(() => expect(heard).toEqual(['connected', 'connected']))
  expect(returns).toBe(1)
  await sql`select pg_notify('news', 'something')`.execute(db)
  await vi.waitFor(() => expect(heard).toEqual(['connected', 'connected', 'something']))
  await vi.waitFor(() => expect(relay.count()).toBe(1))
})
