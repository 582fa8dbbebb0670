import { expect, it } from 'vitest'
import type { Actor } from '../caller.ts'
import { savedThing, withFreeName } from './saved-thing.ts'

const actor = {} as Actor
const stores = (rows: { id: number; name: string; secret: string }[]) => {
  const events: object[] = []
  return {
    rows,
    events,
    audit: { record: async (_: Actor, event: object) => void events.push(event) },
  }
}
const things = savedThing({
  thing: 'mapping',
  missing: 'mapping.not_found',
  find: async ({ rows }: ReturnType<typeof stores>, id) => rows.find((row) => row.id === id),
  audited: ({ name }) => ({ name }),
})

it('a thing that is gone is refused, and leaves no event', async () => {
  const none = stores([])
  await expect(things.saved(none, actor, 'create', { id: 1 })).rejects.toThrow(
    expect.objectContaining({ code: 'mapping.not_found' }),
  )
  expect(none.events).toEqual([])
})

it('a change leaves one event with what was and what is, as the trail may show it', async () => {
  const after = { id: 1, name: 'New', secret: 'x' }
  const one = stores([after])
  const before = { id: 1, name: 'Old', secret: 'y' }
  expect(await things.saved(one, actor, 'update', { id: 1, before })).toBe(after)
  await things.record(one, actor, 'delete', { before })
  expect(one.events).toEqual([
    {
      action: 'mapping.update',
      thing: 'mapping',
      id: 1,
      name: 'New',
      before: { name: 'Old' },
      after: { name: 'New' },
    },
    { action: 'mapping.delete', thing: 'mapping', id: 1, name: 'Old', before: { name: 'Old' } },
  ])
})

it('a name that another row has is refused at its field; other errors stay as they are', async () => {
  const taken = Object.assign(new Error('UNIQUE constraint failed: saved_mapping.name'), {
    errcode: 2067,
  })
  await expect(withFreeName(() => Promise.reject(taken))).rejects.toThrow(
    expect.objectContaining({
      details: { fields: { name: ['This name is already in use.'] } },
    }),
  )
  const other = new Error('UNIQUE constraint failed: saved_mapping.id')
  await expect(withFreeName(() => Promise.reject(other))).rejects.toBe(other)
})
