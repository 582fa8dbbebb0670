import { once } from 'node:events'
import net, { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { bindPort, createServerHandleOf } from './bind-port.ts'

it('a port in use and an address of another machine are reported by their codes', async () => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  expect(() => bindPort('127.0.0.1', port)).toThrow(expect.objectContaining({ code: 'EADDRINUSE' }))
  other.close()
  await once(other, 'close')
  bindPort('127.0.0.1', port).close()
  expect(() => bindPort('192.0.2.1', 0)).toThrow(expect.objectContaining({ code: 'EADDRNOTAVAIL' }))
})

it('binds on IPv6 too, and returns the port that the system chose', () => {
  const bound = bindPort('::1', 0)
  expect(bound.address).toBe('::1')
  expect(bound.port).toBeGreaterThan(0)
  bound.close()
})

it('this Node has the function that binds, and a Node without it is refused by name', () => {
  expect(createServerHandleOf(net)).toBeInstanceOf(Function)
  expect(() => createServerHandleOf({})).toThrow(
    `can't bind its port under Node ${process.version}: net._createServerHandle is missing.`,
  )
})
