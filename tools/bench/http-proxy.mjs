// http-proxy, with a keep-alive agent. `node http-proxy.mjs http://127.0.0.1:9000`
import { Agent, createServer } from 'node:http'
import httpProxy from 'http-proxy'
import { listen } from './listen.mjs'

const proxy = httpProxy.createProxyServer({
  target: process.argv[2],
  agent: new Agent({ keepAlive: true, maxSockets: 256 }),
})
proxy.on('error', (error, _, answer) => {
  console.error(error.message)
  if ('writeHead' in answer) answer.writeHead(502)
  answer.end()
})
listen(createServer((request, answer) => proxy.web(request, answer)))
