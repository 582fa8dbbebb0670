import { createRequire } from 'node:module'
import type { ParsedRequest, ParsedRequests } from './parse-requests.ts'

/** The parser of node:http (llhttp), which has no public name of its own. */
interface NodeParser {
  initialize(type: number, resource: object, maxHeaderSize: number, lenient: number): void
  execute(bytes: Buffer): number | Error
  [callback: number]: (...args: never[]) => unknown
}
interface NodeParserClass {
  new (): NodeParser
  REQUEST: number
  kOnHeaders: number
  kOnHeadersComplete: number
  kOnBody: number
  kOnMessageComplete: number
}

const { HTTPParser, methods } = createRequire(import.meta.url)('_http_common') as {
  HTTPParser: NodeParserClass
  methods: readonly string[]
}

/** The same as parseRequests, by the parser of node:http, which runs as strict as it can. */
export function parseByNode(text: string): ParsedRequests {
  const requests: ParsedRequest[] = []
  let early: string[] = []
  let earlyTarget = ''
  const parser = new HTTPParser()
  parser.initialize(HTTPParser.REQUEST, {}, 0, 0)
  // More fields than it hands over at once come here.
  parser[HTTPParser.kOnHeaders] = (fields: string[], target: string) => {
    early.push(...fields)
    earlyTarget += target
  }
  parser[HTTPParser.kOnHeadersComplete] = (
    _major: number,
    minor: number,
    fields: string[] | undefined,
    method: number,
    target: string | undefined,
  ) => {
    requests.push({
      method: methods[method] ?? '',
      target: earlyTarget + (target ?? ''),
      minor,
      fields: [...early, ...(fields ?? [])],
      body: '',
      isWhole: false,
    })
    early = []
    earlyTarget = ''
    return 0
  }
  parser[HTTPParser.kOnBody] = (part: Buffer) => {
    const request = requests.at(-1)
    if (request) request.body += part.toString('latin1')
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    const request = requests.at(-1)
    if (request) request.isWhole = true
    // Those of trailers.
    early = []
    earlyTarget = ''
  }
  return { requests, isRefused: parser.execute(Buffer.from(text, 'latin1')) instanceof Error }
}
