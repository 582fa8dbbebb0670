import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { ImageService } from './image-service.ts'
import { bombs, picture } from './testing/pictures.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const mebibyte = 1024 * 1024

it('makes two at once, lets eight wait, and sends the next away to come back', async () => {
  const service = new ImageService()
  const base64 = (await picture('png')).toString('base64')
  const all = await Promise.allSettled(
    Array.from({ length: 16 }, () =>
      service.generate({ base64, width: null, height: null, isQrCode: false }),
    ),
  )
  expect(all.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => 'fulfilled'),
    ...Array.from({ length: 6 }, () => 'rejected'),
  ])
  expect(all.at(-1)).toMatchObject({
    reason: { code: 'server.busy', status: 429, details: { retryAfterSeconds: 2 } },
  })
})

it('memory stays flat over many images, QR codes and refusals', async () => {
  const service = new ImageService()
  const photo = (await picture('jpeg', 1500, 1000)).toString('base64')
  const bomb = (await bombs()).png.toString('base64')
  const round = async () => {
    for (let pair = 0; pair < 10; pair++) {
      await Promise.all([
        service.generate({ base64: photo, width: 800, height: null, isQrCode: false }),
        service.generate({ base64: 'x'.repeat(2000), width: 900, height: 900, isQrCode: true }),
        service.generate({ base64: bomb, width: 9, height: 9, isQrCode: false }).catch(() => null),
        service
          .generate({ base64: photo.slice(0, 9_000), width: null, height: null, isQrCode: false })
          .catch(() => null),
      ])
    }
    collectGarbage()
    return process.memoryUsage().rss / mebibyte
  }
  // The first rounds fill the allocators' pools.
  await round()
  const before = await round()
  let after = before
  for (let rounds = 0; rounds < 4; rounds++) after = await round()
  expect(after - before).toBeLessThan(40)
})
