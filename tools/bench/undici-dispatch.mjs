// The least that node:http and undici can do: no matching, no checks, no log.
// `node undici-dispatch.mjs http://127.0.0.1:9000`
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { listen } from './listen.mjs'

const pool = new Pool(process.argv[2] ?? '', { connections: 256 })

class Handler {
  /** @param {import('node:http').ServerResponse} answer */
  constructor(answer) {
    this.answer = answer
  }
  onRequestStart() {}
  /** @param {any} controller @param {number} status */
  onResponseStart(controller, status) {
    this.answer.writeHead(status, controller.rawHeaders.map(String))
  }
  /** @param {any} _ @param {Buffer} chunk */
  onResponseData(_, chunk) {
    this.answer.write(chunk)
  }
  onResponseEnd() {
    this.answer.end()
  }
  onResponseError() {
    this.answer.destroy()
  }
}

listen(
  createServer((request, answer) => {
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    pool.dispatch(
      {
        path: request.url ?? '/',
        method: request.method ?? 'GET',
        headers: request.headers,
        body: hasBody ? request : null,
      },
      new Handler(answer),
    )
  }),
)
