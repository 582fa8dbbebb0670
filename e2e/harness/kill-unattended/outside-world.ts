import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What the world outside sees of the product; a kill can follow at once. */
export type Sight = 'list fetched' | 'document sent' | 'message came' | 'message taken'

/** A try to deliver a message, as the receiver has it. */
export interface Arrival {
  /** `webhook-id` */
  id: string
  body: string
  /** Whether the receiver has answered 204. It answers 503 or nothing otherwise. */
  isTaken: boolean
}

interface Element {
  no: string
  at: number
  /** Several elements are about the same one. */
  customer: string
}

export type OutsideWorld = Awaited<ReturnType<typeof startOutsideWorld>>

/** One message of so many is refused with 503. */
const refusesEvery = 40
const slowestAnswerMs = 40
const customers = 3

/** An ERP with a list that grows, an authority, and a receiver of webhooks that keeps a record. */
export async function startOutsideWorld(random: () => number) {
  const elements: Element[] = []
  const arrivals: Arrival[] = []
  /** References, in the order in which they came to the authority. */
  const documents: string[] = []
  const forged: string[] = []
  let listsFetched = 0
  let secret = ''
  let see: (what: Sight) => void = () => {}

  const receive = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    const id = String(request.headers['webhook-id'])
    const arrival: Arrival = { id, body, isTaken: false }
    arrivals.push(arrival)
    if (!isGenuine(request, body, secret)) forged.push(id)
    see('message came')
    const isRefused = arrivals.length % refusesEvery === 0
    if (!isRefused) await delay(random() * slowestAnswerMs)
    if (isRefused) response.writeHead(503).end()
    else if (!response.destroyed) take(arrival, response)
  }
  const take = (arrival: Arrival, response: ServerResponse) => {
    response.writeHead(204).end(() => {
      arrival.isTaken = true
      see('message taken')
    })
  }

  const answers: Record<
    string,
    (request: IncomingMessage, response: ServerResponse, body: string) => unknown
  > = {
    '/list': (request, response) => {
      const since = Number(new URL(request.url ?? '', 'http://erp').searchParams.get('since'))
      listsFetched++
      json(response, { items: elements.filter(({ at }) => at > since) })
      see('list fetched')
    },
    '/documents': (_, response, body) => {
      const { reference } = JSON.parse(body) as { reference: string }
      documents.push(reference)
      see('document sent')
      json(response, { status: 'ACCEPTED', number: `N-${documents.length}` })
    },
    '/receiver': receive,
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [path = ''] = (request.url ?? '').split('?')
    await answers[path]?.(request, response, Buffer.concat(chunks).toString('utf8'))
  }
  const server = createServer((request, response) => {
    response.on('error', () => {})
    // A server that is killed cuts its requests.
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    documents,
    /** Ids of messages whose signature does not fit. */
    forged,
    elements,
    listsFetched: () => listsFetched,
    /** Messages are to be signed with it. */
    expectSecret: (text: string) => (secret = text),
    /** The ERP has so many invoices more. */
    grow: (count: number) => {
      for (let more = 0; more < count; more++) {
        const at = elements.length + 1
        elements.push({ no: `E-${at}`, at, customer: `C-${at % customers}` })
      }
    },
    /** Calls back at each sight, before anything else can happen. */
    watch: (callback: (what: Sight) => void) => (see = callback),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function isGenuine({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest()
  const given = Buffer.from(String(headers['webhook-signature']).replace(/^v1,/, ''), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
