// A tax authority in a process of its own, which can be ended and started again on the same port. Each
// document that it accepts is a line in the given file, which is on disk before the authority answers.
// Prints its port when it listens.
//
//   POST /invoices             accepts a document at once
//   POST /submissions          takes a document, and says later whether it accepts it
//   GET  /submissions/{uid}    says whether it has decided, and how
//
// The message `decide` makes it accept what it has taken so far.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const [recordFile = '', port = '0'] = process.argv.slice(2)
const taken = new Map<string, { reference: string; isAccepted: boolean }>()

function accept(reference: string): void {
  const record = openSync(recordFile, 'a')
  writeSync(record, `${reference}\n`)
  fsyncSync(record)
  closeSync(record)
}

async function referenceOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { reference: string }).reference
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, place, uid = ''] = (request.url ?? '/').split('/')
  if (request.method === 'GET') {
    const document = taken.get(decodeURIComponent(uid))
    if (!document) return answer(response, 404, { status: 'NOT_FOUND' })
    const status = document.isAccepted ? 'VALID' : 'IN_PROGRESS'
    return answer(response, 200, { status, number: `A-${document.reference}` })
  }
  const reference = await referenceOf(request)
  if (place === 'submissions') {
    const submissionUid = `S-${taken.size + 1}`
    taken.set(submissionUid, { reference, isAccepted: false })
    return answer(response, 202, { submissionUid })
  }
  accept(reference)
  return answer(response, 201, { status: 'VALID', number: `A-${reference}` })
}

process.on('message', () => {
  for (const document of taken.values()) {
    if (document.isAccepted) continue
    document.isAccepted = true
    accept(document.reference)
  }
  process.send?.('decided')
})

const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  handle(request, response).catch(() => request.socket.destroy())
})
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
