// An unreliable tax authority in a process of its own. Each document that it accepts is a line in the
// given file, which is on disk before the authority answers. A seeded sequence decides what it does
// with a request. Prints its port when it listens.
//
//   POST /invoices           accepts a document as often as it is sent
//   POST /careful/invoices   recognises documents by Idempotency-Key and answers a repeat with 409
//   GET  /status/{reference} says whether a document was accepted
//   GET  /customers/{id}     a read
import { createHash } from 'node:crypto'
import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What may become of a submission; the rest are accepted and answered. */
const mischief = [
  { name: 'unavailable', share: 0.08 },
  { name: 'cut before storing', share: 0.08 },
  { name: 'cut after storing', share: 0.12 },
  { name: 'late', share: 0.08 },
  { name: 'error inside', share: 0.06 },
  { name: 'failure after storing', share: 0.06 },
] as const
type Outcome = (typeof mischief)[number]['name'] | 'accept'

const [recordFile = '', seed = '1', lateMs = '1500'] = process.argv.slice(2)
const record = openSync(recordFile, 'a+')
let drawn = 0
/** From 0 to 1, the same sequence for the same seed. */
const random = () =>
  createHash('sha256').update(`${seed}:${drawn++}`).digest().readUInt32BE() / 2 ** 32
const accepted = new Map<string, string>()
const keys = new Map<string, string>()

for (const line of readFileSync(recordFile, 'utf8').split('\n').filter(Boolean)) {
  const { reference, key, number } = JSON.parse(line) as Record<
    'reference' | 'key' | 'number',
    string
  >
  accepted.set(reference, number)
  keys.set(key, number)
}

function draw(): Outcome {
  let at = random()
  for (const { name, share } of mischief) {
    if (at < share) return name
    at -= share
  }
  return 'accept'
}

/** On disk before it counts: a record that a crash could lose would prove nothing. */
function store(reference: string, key: string): string {
  const number = `A-${String(accepted.size + 1).padStart(6, '0')}`
  writeSync(record, `${JSON.stringify({ reference, key, number })}\n`)
  fsyncSync(record)
  accepted.set(reference, number)
  keys.set(key, number)
  return number
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length })
  response.end(text)
}

async function submit(request: IncomingMessage, response: ServerResponse, isCareful: boolean) {
  const { reference } = JSON.parse(await bodyOf(request)) as { reference: string }
  const key = String(request.headers['idempotency-key'] ?? '')
  const known = isCareful ? keys.get(key) : undefined
  if (known) return answer(response, 409, { status: 'DUPLICATE', number: known })
  const outcome = draw()
  if (outcome === 'unavailable') return answer(response, 503, { status: 'UNAVAILABLE' })
  if (outcome === 'cut before storing') return request.socket.destroy()
  if (outcome === 'error inside') return answer(response, 200, { status: 'ERROR', errors: ['no'] })
  const number = store(reference, key)
  if (outcome === 'cut after storing') return request.socket.destroy()
  if (outcome === 'failure after storing') return answer(response, 500, { status: 'FAILED' })
  if (outcome === 'late') await delay(Number(lateMs))
  return answer(response, 200, { status: 'ACCEPTED', number })
}

async function handle(request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://authority')
  if (request.method === 'POST') return submit(request, response, pathname.startsWith('/careful/'))
  const reference = decodeURIComponent(pathname.split('/')[2] ?? '')
  if (pathname.startsWith('/customers/'))
    return answer(response, 200, { id: reference, name: 'Ada' })
  const number = accepted.get(reference)
  return answer(response, 200, number ? { status: 'ACCEPTED', number } : { status: 'UNKNOWN' })
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => request.socket.destroy())
})
server.listen(0, process.argv[5], () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
