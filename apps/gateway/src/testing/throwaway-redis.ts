import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ThrowawayRedis } from './redis-server.ts'

/** One that ends with the test. Options are as on the command line, several in one text. */
export async function startRedis(...options: string[]): Promise<ThrowawayRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-redis-'))
  const port = await freePort()
  const redis = new ThrowawayRedis(port, [
    ...`--bind 127.0.0.1 --port ${port} --appendonly no --dir ${folder}`.split(' '),
    '--save',
    '',
    ...options.flatMap((each) => each.split(' ')),
  ])
  onTestFinished(async () => {
    await redis.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await redis.start()
  return redis
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
