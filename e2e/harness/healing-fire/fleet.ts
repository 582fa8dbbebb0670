import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  oneThatIsUp,
  runMortalServer,
  type MortalServer,
} from '../hostile-authority/mortal-server.ts'
import { compileCache, signIn, type Answer, type Call } from '../run-product.ts'

const admin = fileURLToPath(new URL('../../../apps/server/src/admin/admin.ts', import.meta.url))

export interface FleetOptions {
  folder: string
  /** Two servers share this PostgreSQL; without it there is one, on SQLite. */
  databaseUrl?: string | undefined
  killWithinMs: number
}

/** The servers of an installation, which are killed, stopped, and started on a backup. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #shared: Record<string, string>
  #servers: MortalServer[] = []
  #calls: Call[] = []
  #kills = 0

  constructor(options: FleetOptions) {
    this.#options = options
    const { databaseUrl } = options
    this.#shared = {
      APP_KEY: randomBytes(32).toString('base64'),
      GATEWAY_WORKERS: '1',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    }
  }

  /** SIGKILLs so far, of all servers. */
  get kills(): number {
    return this.#kills + this.#servers.reduce((sum, server) => sum + server.kills(), 0)
  }

  /** `kills`: of each server, once it is exposed. */
  async start(kills: number): Promise<void> {
    const { databaseUrl, killWithinMs } = this.#options
    for (let index = 0; index < (databaseUrl ? 2 : 1); index++)
      this.#servers.push(
        await runMortalServer({
          environment: this.#environment(index),
          kills,
          withinMs: killWithinMs,
        }),
      )
    this.#calls = await Promise.all(this.#servers.map(({ url }) => signIn(url)))
  }

  expose(): void {
    for (const server of this.#servers) server.expose()
  }

  isSpared(): boolean {
    return this.#servers.every((server) => server.isSpared())
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()))
    this.#kills = this.kills
    this.#servers = []
  }

  /** Writes a backup while the servers work, and are killed. */
  async backUp(): Promise<string> {
    const file = join(this.#options.folder, `backup-${randomBytes(4).toString('hex')}`)
    await this.#admin('backup', file)
    return file
  }

  async restore(file: string): Promise<void> {
    await this.#admin('restore', file, '--replace')
  }

  /** At any server; undefined where it died before it answered. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer | undefined> {
    const server = await oneThatIsUp(this.#servers)
    const call = this.#calls[this.#servers.indexOf(server)]
    return call?.(method, path, body, headers).catch(() => undefined)
  }

  /** Again until there is an answer, which 502 and 504 are: of a run that was not accepted. */
  async mustCall(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let tries = 0; tries < 600; tries++) {
      const answer = await this.call(method, path, body)
      if (answer && ![429, 500, 503].includes(answer.status)) return answer
      await delay(100)
    }
    throw new Error(`${method} ${path}: no answer`)
  }

  #environment(index: number): Record<string, string> {
    return { ...this.#shared, DATA_DIR: join(this.#options.folder, `server-${index}`) }
  }

  async #admin(...args: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [admin, ...args], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...this.#environment(0) },
    })
  }
}
