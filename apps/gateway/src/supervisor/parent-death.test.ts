import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, vi } from 'vitest'
import { bindPort } from './bind-port.ts'
import { request } from './testing/steady-load.ts'

const file = new URL('testing/parent-process.ts', import.meta.url)

it('when the parent is killed, its workers end and the port is free', async () => {
  const parent = spawn(process.execPath, [file.pathname], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string]
  const { port, pids } = JSON.parse(line) as { port: number; pids: number[] }
  expect((await request(`http://127.0.0.1:${port}/t/ping`)).status).toBe(200)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]))
  bindPort('127.0.0.1', port).close()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
