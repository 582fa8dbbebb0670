// @fastify/http-proxy on undici. `node fastify-http-proxy.mjs http://127.0.0.1:9000`
import proxy from '@fastify/http-proxy'
import Fastify from 'fastify'

const app = Fastify({ keepAliveTimeout: 60_000 })
await app.register(proxy, { upstream: process.argv[2] })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listening ${new URL(url).port}`)
