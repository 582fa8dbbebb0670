import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { foundPrograms } from '../../../scripts/set-up/programs.mjs'
import { freePort } from '../free-port.ts'

/** A Redis of its own that keeps nothing, and ends with this process at the latest. */
export async function runRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = foundPrograms()['GATEHOUSE_TEST_REDIS_SERVER']
  if (!program) throw new Error('Redis was not found: set REDIS_SERVER_PATH.')
  const port = await freePort()
  const server = spawn(
    program,
    ['--bind', '127.0.0.1', '--port', String(port), '--appendonly', 'no', '--save', ''],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const kill = () => void server.kill('SIGKILL')
  process.once('exit', kill)
  for await (const line of createInterface(server.stdout))
    if (line.includes('Ready to accept connections')) break
  server.stdout.resume()
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(server, 'exit')
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}
