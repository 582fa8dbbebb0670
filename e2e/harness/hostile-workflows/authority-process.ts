// Unreliable tax authorities in a process of their own, each on a port. All that happens is a line of the
// given file, with the time of this process; what counts is on disk before it is answered. A seeded
// sequence decides what becomes of a submission. Prints the ports as JSON when all of them listen, and
// takes orders line by line: `away <name>`, `back <name>`, `mark`.
//
//   POST /invoices           a submission
//   GET  /status/{reference} what became of a document
//   GET  /customers/{id}     a read
import { createHash } from 'node:crypto'
import { fdatasync, openSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lateMs, rejectsEvery, type HostileAuthority, type Mischief } from './authorities.ts'
import type { Came, RecordLine, Stored } from './authority-record.ts'

const [recordFile = '', seed = '1', described = '[]'] = process.argv.slice(2)
const record = openSync(recordFile, 'a')
const onDisk = promisify(fdatasync)

const nowMs = () => performance.timeOrigin + performance.now()
const note = (line: RecordLine) => writeSync(record, `${JSON.stringify(line)}\n`)

let drawn = 0
/** From 0 to 1, the same sequence for the same seed. */
const random = () =>
  createHash('sha256').update(`${seed}:${drawn++}`).digest().readUInt32BE() / 2 ** 32

/** A person sends too, beside the lanes. */
let isMarked = false
let calls = 0
let numbers = 0

/** One of them: what it has stored, and the calls of steps that it is busy with. */
class Authority {
  readonly server: Server
  readonly #settings: HostileAuthority
  readonly #stored = new Map<string, Stored>()
  readonly #keys = new Map<string, Stored>()
  readonly #open = new Set<number>()
  #mostOpen = 0

  constructor(settings: HostileAuthority) {
    this.#settings = settings
    this.server = createServer((request, response) => {
      this.#handle(request, response).catch(() => request.socket.destroy())
    })
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, place = '', name = ''] = (request.url ?? '').split('/')
    const call = request.method === 'POST' ? 'submit' : place === 'status' ? 'status' : 'read'
    const came: Came = {
      what: 'came',
      id: ++calls,
      at: nowMs(),
      by: this.#settings.name,
      call,
      reference: decodeURIComponent(name),
    }
    // A submission is named in its body; the moment that counts is the one at which it came.
    if (call !== 'submit') note(came)
    if (call !== 'status') this.#count(came.id, response)
    if (call === 'submit') return this.#submit(came, request, response)
    if (call === 'read') return answer(response, 200, { id: came.reference, name: 'Ada' })
    return answer(response, 200, this.#statusOf(came.reference))
  }

  /**
   * Counts the calls of steps that are open beside this one: those that were open when it came and have
   * not ended two turns of the loop later. Node says only then that a connection was closed before.
   */
  #count(id: number, response: ServerResponse): void {
    this.#open.add(id)
    const end = () => this.#open.delete(id)
    response.once('finish', end).once('close', end)
    const beside = new Set(this.#open)
    const look = () => {
      const { size } = beside.intersection(this.#open)
      if (size <= this.#mostOpen || isMarked) return
      this.#mostOpen = size
      note({ what: 'most open', by: this.#settings.name, open: size })
    }
    setImmediate(() => setImmediate(look))
  }

  async #submit(came: Came, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { reference } = JSON.parse(await bodyOf(request)) as Came
    note({ ...came, reference })
    const key = String(request.headers['idempotency-key'] ?? '')
    const known = this.#settings.isCareful ? this.#keys.get(key) : undefined
    const outcome = known ? 'repeated' : this.#draw()
    note({ what: 'did', id: came.id, at: nowMs(), outcome })
    if (known) return answer(response, 409, { status: 'DUPLICATE', number: known.number })
    if (outcome === 'throttled')
      return answer(response, 429, { status: 'BUSY' }, { 'retry-after': '1' })
    if (outcome === 'unavailable') return answer(response, 503, { status: 'UNAVAILABLE' })
    if (outcome === 'cut before storing') return void request.socket.destroy()
    if (outcome === 'refused') return answer(response, 200, { status: 'ERROR', errors: ['no'] })
    const stored = await this.#store(reference, key)
    if (outcome === 'cut after storing') return void request.socket.destroy()
    if (outcome === 'failure after storing') return answer(response, 500, { status: 'FAILED' })
    if (outcome === 'late') await delay(lateMs)
    if (this.#settings.decidesAfterMs > 0) return answer(response, 202, { status: 'TAKEN' })
    return answer(response, 200, { status: 'ACCEPTED', number: stored.number })
  }

  #draw(): Mischief | 'accepted' {
    let at = random()
    for (const [name, share] of Object.entries(this.#settings.mischief)) {
      if (at < share) return name as Mischief
      at -= share
    }
    return 'accepted'
  }

  async #store(reference: string, key: string): Promise<Stored> {
    const { name: by, decidesAfterMs } = this.#settings
    const at = nowMs()
    const number = `${by}-${String(++numbers).padStart(6, '0')}`
    const verdict =
      decidesAfterMs > 0 && numbers % rejectsEvery === 0
        ? ('rejected' as const)
        : ('accepted' as const)
    const decidesAt = at + decidesAfterMs
    const stored: Stored = { what: 'stored', by, reference, number, verdict, at, decidesAt }
    note(stored)
    this.#stored.set(reference, stored)
    this.#keys.set(key, stored)
    await onDisk(record)
    return stored
  }

  #statusOf(reference: string) {
    const stored = this.#stored.get(reference)
    if (!stored) return { status: 'UNKNOWN' }
    if (stored.decidesAt > nowMs()) return { status: 'DECIDING' }
    return stored.verdict === 'accepted'
      ? { status: 'ACCEPTED', number: stored.number }
      : { status: 'REJECTED', errors: ['The total is wrong.'] }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

const authorities = new Map<string, { server: Server; port: number }>()
for (const settings of JSON.parse(described) as HostileAuthority[]) {
  const { server } = new Authority(settings)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  // Its port may be in use for a moment when it comes back.
  server.on('error', () => setTimeout(() => server.listen(port, '127.0.0.1'), 50))
  authorities.set(settings.name, { server, port })
}
process.stdout.write(
  `${JSON.stringify(Object.fromEntries([...authorities].map(([name, { port }]) => [name, port])))}\n`,
)

for await (const line of createInterface(process.stdin)) {
  const [order, name = ''] = line.split(' ')
  const { server, port } = authorities.get(name) ?? {}
  if (order === 'mark') {
    isMarked = true
    note({ what: 'mark', at: nowMs() })
  }
  if (order === 'away') {
    server?.close()
    server?.closeAllConnections()
  }
  if (order === 'back') server?.listen(port, '127.0.0.1')
}
