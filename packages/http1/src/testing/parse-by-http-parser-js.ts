import { HTTPParser } from 'http-parser-js'
import type { ParsedRequest, ParsedRequests } from './parse-requests.ts'

// It reads ASCII and would drop the highest bit of each byte.
HTTPParser.encoding = 'latin1'

/** The same as parseRequests, by `http-parser-js`: a parser in JavaScript that shares nothing with ours, and repairs much. */
export function parseByHttpParserJs(text: string): ParsedRequests {
  const requests: ParsedRequest[] = []
  const parser = new HTTPParser(HTTPParser.REQUEST)
  parser[HTTPParser.kOnHeadersComplete] = ({ method, url, versionMinor, headers }) => {
    requests.push({
      method: HTTPParser.methods[method] ?? '',
      target: url,
      minor: versionMinor,
      fields: [...headers],
      body: '',
      isWhole: false,
    })
  }
  parser[HTTPParser.kOnBody] = (bytes, start, length) => {
    const request = requests.at(-1)
    if (request) request.body += bytes.toString('latin1', start, start + length)
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    const request = requests.at(-1)
    if (request) request.isWhole = true
  }
  return { requests, isRefused: parser.execute(Buffer.from(text, 'latin1')) instanceof Error }
}
