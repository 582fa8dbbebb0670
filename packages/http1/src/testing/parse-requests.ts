import { MessageFault } from '../message-fault.ts'
import type { RequestHead } from '../server/request-head.ts'
import { RequestParser } from '../server/request-parser.ts'
import type { RequestSink } from '../server/request-parser.ts'

/** One request as a parser saw it. */
export interface ParsedRequest {
  method: string
  target: string
  minor: number
  fields: string[]
  body: string
  /** All of it was there. */
  isWhole: boolean
}

/** What a parser made of the bytes of one connection. */
export interface ParsedRequests {
  requests: ParsedRequest[]
  isRefused: boolean
}

class Collector implements RequestSink {
  readonly requests: ParsedRequest[] = []
  isUpgraded = false

  takeRequest({ method, target, minor, fields }: RequestHead, hasBody: boolean): void {
    this.requests.push({ method, target, minor, fields: [...fields], body: '', isWhole: !hasBody })
  }

  takeBody(bytes: Buffer, start: number, end: number): void {
    const request = this.requests.at(-1)
    if (request) request.body += bytes.toString('latin1', start, end)
  }

  takeEnd(): void {
    const request = this.requests.at(-1)
    if (request) request.isWhole = true
  }

  /** No request, whatever it looks like. */
  takeBehindUpgrade(): void {
    this.isUpgraded = true
  }
}

/** Feeds `text` (Latin-1) in parts that end at `cuts`. */
export function parseRequests(text: string, cuts: readonly number[] = []): ParsedRequests {
  const sink = new Collector()
  const parser = new RequestParser(sink)
  const { requests } = sink
  try {
    let from = 0
    for (const cut of [...cuts, text.length]) {
      const bytes = Buffer.from(text.slice(from, cut), 'latin1')
      for (let at = 0; at < bytes.length;) at = parser.feed(bytes, at)
      from = Math.max(from, cut)
    }
    return { requests, isRefused: false }
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error
    return { requests, isRefused: true }
  }
}
