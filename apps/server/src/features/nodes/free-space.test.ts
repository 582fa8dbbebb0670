import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { freeSpace } from './free-space.ts'

it('the room of a folder is known to a process that was busy for longer than it waits', async () => {
  const measured = freeSpace(tmpdir(), 5)
  const busyUntil = performance.now() + 50
  while (performance.now() < busyUntil);
  expect(await measured).toMatchObject({
    path: tmpdir(),
    total_bytes: expect.any(Number) as number,
  })
})

it('a folder that is not there has none', async () => {
  expect(await freeSpace('/is/not/there')).toBeNull()
})
