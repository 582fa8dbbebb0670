import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createClient } from '@redis/client'

/** A Redis server on a port of its own. */
export class ThrowawayRedis {
  readonly port: number
  readonly url: string
  readonly #args: readonly string[]
  #server: ChildProcess | undefined

  constructor(port: number, args: readonly string[]) {
    this.port = port
    this.url = `redis://127.0.0.1:${port}`
    this.#args = args
  }

  /** Starts it, also again after `kill`: then it is empty. */
  async start(): Promise<void> {
    const program = process.env['GATEHOUSE_TEST_REDIS_SERVER'] ?? 'redis-server'
    const server = spawn(program, [...this.#args], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#server = server
    let said = ''
    server.stdout.setEncoding('utf8')
    const isUp = new Promise<void>((resolve, reject) => {
      server.stdout.on('data', (text: string) => {
        said += text
        if (/Ready to accept connections/.test(said)) resolve()
      })
      server.once('exit', () => reject(new Error(`Redis did not start: ${said}`)))
    })
    await isUp
  }

  async kill(): Promise<void> {
    const server = this.#server
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  /** It stays connected and answers nothing. */
  freeze(): void {
    this.#server?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#server?.kill('SIGCONT')
  }

  /** Runs a command and returns the reply. */
  async command(...args: string[]): Promise<unknown> {
    const client = createClient({ url: this.url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await client.sendCommand(args)
    } finally {
      client.destroy()
    }
  }
}
