// The lower bound: node:http without an upstream. `node hello.mjs`
import { createServer } from 'node:http'
import { listen } from './listen.mjs'

const body = 'x'.repeat(150)
listen(
  createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length })
    answer.end(body)
  }),
)
