import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { serverAccount } from '../../scripts/databases/server-account.mjs'
import { foundPrograms } from '../../scripts/set-up/programs.mjs'
import { signalTree } from './process-tree.ts'

const account = serverAccount()

/** What was found may be links to some programs of that folder. */
const bin = () =>
  dirname(realpathSync(join(foundPrograms()['GATEHOUSE_TEST_POSTGRES_BIN'] ?? '', 'postgres')))
const program = (name: string) => join(bin(), name)

const recovery = 'select pg_is_in_recovery() as is_standby'

interface Recovery {
  is_standby: boolean
}

interface Place {
  /** Its own; what is in it is lost. */
  folder: string
  port: number
}

/** A durable PostgreSQL on a port, which is stopped, frozen, followed by a standby and promoted. */
export class PostgresServer {
  readonly place: Place
  readonly port: number
  readonly #folder: string
  #process: ChildProcess | undefined

  private constructor(place: Place) {
    this.place = place
    this.#folder = place.folder
    this.port = place.port
    process.once('exit', () => this.#process?.kill('SIGQUIT'))
  }

  /** An empty one. Its superuser needs no password, all others do. */
  static async create(place: Place): Promise<PostgresServer> {
    const server = new PostgresServer(place)
    server.#clear()
    run('initdb', [
      '-D',
      server.#data,
      '-U',
      'postgres',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C',
    ])
    const rules = ['host all postgres all trust', 'host replication postgres all trust']
    appendFileSync(join(server.#data, 'pg_hba.conf'), `${rules.join('\n')}\nhost all all all md5\n`)
    await server.start()
    return server
  }

  /** A standby of another one. From then on, a commit there waits until this one has it, too. */
  static async follow(primary: PostgresServer, place: Place): Promise<PostgresServer> {
    const server = new PostgresServer(place)
    server.#clear()
    const source = `host=127.0.0.1 port=${primary.port} user=postgres`
    run('pg_basebackup', ['-d', source, '-D', server.#data, '-R', '-c', 'fast', '-X', 'stream'])
    await server.start()
    await primary.setSynchronous(true)
    return server
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: '*',
      unix_socket_directories: this.#folder,
      max_connections: 200,
      shared_buffers: '64MB',
      wal_retrieve_retry_interval: '200ms',
      wal_receiver_timeout: '10s',
      lc_messages: 'C',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(program('postgres'), ['-D', this.#data, ...args], {
      ...account,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = server
    const isReady = new Promise<void>((resolve, reject) => {
      const lines = createInterface({ input: server.stderr })
      let said = ''
      lines.on('line', (line) => {
        said = `${said.slice(-2_000)}${line}\n`
        if (/ready to accept (?:read-only )?connections/.test(line)) resolve()
      })
      server.once('exit', () => reject(new Error(`PostgreSQL has ended:\n${said}`)))
    })
    await isReady
  }

  /** Whether a commit waits until the standby has it. */
  async setSynchronous(isOn: boolean): Promise<void> {
    await this.ask(`alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`)
    await this.ask('select pg_reload_conf()')
  }

  /** `SIGINT`: what is under way is broken off; `SIGQUIT`: as after a crash; `SIGKILL`: also one that is frozen. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const server = this.#process
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    if (signal === 'SIGKILL') signalTree(server.pid ?? 0, signal)
    else server.kill(signal)
    await ended
  }

  /** It stays connected and answers nothing; nor do its processes go on. */
  freeze(): void {
    signalTree(this.#process?.pid ?? 0, 'SIGSTOP')
  }

  thaw(): void {
    signalTree(this.#process?.pid ?? 0, 'SIGCONT')
  }

  /** A standby takes writes from then on. */
  async promote(): Promise<void> {
    // A statement that waits for it could hold up the last records that it has to read.
    await this.ask('select pg_promote(false)')
    const untilMs = performance.now() + 30_000
    while ((await this.ask<Recovery>(recovery))[0]?.is_standby !== false) {
      if (performance.now() > untilMs) throw new Error('The standby did not take over within 30 s.')
      await sleep(20)
    }
  }

  async ask<Row extends object>(statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  #clear(): void {
    rmSync(this.#folder, { recursive: true, force: true })
    mkdirSync(this.#data, { recursive: true, mode: 0o700 })
    const { uid, gid } = account
    if (uid && gid) for (const each of [this.#folder, this.#data]) chownSync(each, uid, gid)
  }
}

function run(name: string, args: string[]): void {
  execFileSync(program(name), args, { ...account, cwd: '/', stdio: 'pipe' })
}
