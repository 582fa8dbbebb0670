import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Upstream {
  url: string
  stop(): Promise<void>
}

/** Starts a json-server with a hundred posts as its own process. */
export const runUpstream = (): Promise<Upstream> =>
  run('json-server-process.ts', fileOf('../../fixtures/jsonplaceholder.json'))

/** Starts an OpenID provider, which sends browsers back to this address, as its own process. */
export const runOpenIdProvider = (redirectUri: string): Promise<Upstream> =>
  run('oidc-provider-process.ts', redirectUri)

/** Starts a program that prints its port. */
async function run(name: string, argument: string): Promise<Upstream> {
  const child = spawn(process.execPath, [fileOf(name), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
