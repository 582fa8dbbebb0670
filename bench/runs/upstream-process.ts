// An authority that takes everything at once. Prints its port when it listens.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

let id = 0
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(`{"id":${++id},"status":"ACCEPTED"}`)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
